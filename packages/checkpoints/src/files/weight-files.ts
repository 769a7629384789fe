import { AssayError } from "@assay/schemas/errors"
import type { StoredFile } from "@assay/storage"
import { isJsonObject } from "@assay/json"
import type { CheckpointReader } from "./checkpoint-reader.ts"
import { readJsonFile } from "./read-descriptions.ts"

/** Number of headers that are read at the same time, whatever their format. */
export const PARALLEL_READS = 16

/** The files that hold the weights of a checkpoint, all of one kind. */
export interface WeightFiles {
  /** `opaque`: PyTorch pickles and similar files, whose tensors can't be listed without reading everything. */
  readonly kind: "safetensors" | "gguf" | "opaque"
  readonly files: readonly StoredFile[]
  /** The file of each tensor, if there is an index. */
  readonly index: ReadonlyMap<string, string> | null
  /** The missing parts. Each is the beginning of a sentence. */
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

/** Returns complete weights without an index. */
export function plainWeights(kind: WeightFiles["kind"], files: readonly StoredFile[]): WeightFiles {
  return { kind, files, index: null, faults: [], warnings: [] }
}

/** Returns a warning about the files of `files` that are not in `used`. */
export function leftOut(files: ReadonlyMap<string, StoredFile>, used: ReadonlySet<string>): readonly string[] {
  const names = [...files.keys()].filter((name) => !used.has(name))
  if (names.length === 0) return []
  return [`Weights beside those of the checkpoint are left out: ${names.map((name) => `'${name}'`).join(", ")}.`]
}

/** Maximum number of faults in a message. */
const MAX_SHOWN_FAULTS = 10

/**
 * Checks that there are no faults. Each fault is the beginning of a sentence.
 * @throws `broken_checkpoint` that lists `faults`
 */
export function checkNoFaults(faults: readonly string[]): void {
  if (faults.length === 0) return
  const more = faults.length > MAX_SHOWN_FAULTS ? `; and ${faults.length - MAX_SHOWN_FAULTS} more` : ""
  const message = `The checkpoint is broken: ${faults.slice(0, MAX_SHOWN_FAULTS).join("; ")}${more}.`
  throw new AssayError("broken_checkpoint", message, { context: { faults: faults.length } })
}

/** Indexes of the largest checkpoints have about 10 MB. */
const MAX_INDEX_BYTES = 100_000_000

/** Returns the weight files of `files` that an index names. */
export async function readWeightIndex(
  reader: CheckpointReader,
  file: StoredFile,
  files: ReadonlyMap<string, StoredFile>,
): Promise<WeightFiles> {
  const { weight_map: map } = await readJsonFile(reader, file, MAX_INDEX_BYTES)
  const name = file.path.slice(file.path.lastIndexOf("/") + 1)
  const index = new Map<string, string>()
  for (const [tensor, shard] of Object.entries(isJsonObject(map) ? map : {})) {
    if (typeof shard === "string") index.set(tensor, shard)
  }
  const used = new Set(index.values())
  const present = [...used].toSorted().flatMap((one) => files.get(one) ?? [])
  const missing = [...used].filter((one) => !files.has(one)).toSorted()
  return {
    kind: "safetensors",
    files: present,
    index,
    faults: [
      ...(index.size === 0 ? [`'${name}' has no 'weight_map' with tensors and their files`] : []),
      ...missing.map((one) => `'${one}', which '${name}' names, is missing`),
    ],
    warnings: leftOut(files, used),
  }
}

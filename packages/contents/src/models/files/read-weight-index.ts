import type { StoredFile } from "@assay/storage"
import type { CheckpointReader } from "./checkpoint-reader.ts"
import { leftOut } from "./left-out.ts"
import { isJsonObject, readJsonFile } from "./read-json-file.ts"
import type { WeightFiles } from "./weight-files.ts"

/** Indexes of the largest checkpoints have about 10 MB. */
const MAX_INDEX_BYTES = 100_000_000

/** The weight files that an index names, of `files`. */
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

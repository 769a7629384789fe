import { AssayError } from "@assay/schemas/errors"
import { MAX_LFS_POINTER_BYTES } from "@assay/storage"
import { readGgufFiles, type GgufHeader } from "../gguf/read-gguf-header.ts"
import { readShards } from "../safetensors/read-shards.ts"
import type { StoredTensor } from "../tensors/stored-tensor.ts"
import type { CheckpointReader } from "../files/checkpoint-reader.ts"
import { chooseWeights } from "../files/choose-weights.ts"
import { findCheckpoint, type CheckpointFolder } from "../files/find-checkpoint.ts"
import { readDescriptions, type Descriptions } from "../files/read-descriptions.ts"
import { checkNoFaults, type WeightFiles } from "../files/weight-files.ts"

/** Everything that was read from a checkpoint. */
export interface Checkpoint {
  readonly descriptions: Descriptions
  readonly weights: WeightFiles
  /** Null if no header of the weights can be read. */
  readonly tensors: readonly StoredTensor[] | null
  /** Metadata of GGUF files. Null for weights of another kind. */
  readonly gguf: GgufHeader["metadata"] | null
  /** Names of the files in the checkpoint's folder. */
  readonly files: ReadonlySet<string>
}

/** Maximum number of small weight files that are examined. */
const MAX_POINTERS = 8

/**
 * Reads a checkpoint.
 * @throws `not_a_checkpoint` that lists what is missing; `broken_checkpoint` that lists what is wrong
 */
export async function readCheckpoint(reader: CheckpointReader): Promise<Checkpoint> {
  const folder = await findCheckpoint(reader)
  const [descriptions, weights] = await Promise.all([readDescriptions(reader, folder), chooseWeights(reader, folder)])
  const isGguf = weights?.kind === "gguf"
  if (weights === null || (descriptions.config === null && !isGguf)) throw notACheckpoint(folder, descriptions, weights)
  checkNoFaults(weights.faults)
  if (weights.kind === "opaque") await checkNoPointers(reader, weights)
  const header = isGguf ? await readGgufFiles(reader, weights) : null
  const tensors = weights.kind === "safetensors" ? await readShards(reader, weights) : null
  const files = new Set(folder.files.keys())
  return { descriptions, weights, tensors: tensors ?? header?.tensors ?? null, gguf: header?.metadata ?? null, files }
}

/** Reads the small files of weights without a header, which are pointers of git LFS if they were never fetched. @throws `broken_checkpoint` */
async function checkNoPointers(reader: CheckpointReader, { files }: WeightFiles): Promise<void> {
  const small = files.filter(({ size }) => size <= MAX_LFS_POINTER_BYTES).slice(0, MAX_POINTERS)
  await Promise.all(small.map((file) => reader.read(file, 0, file.size)))
}

function notACheckpoint(folder: CheckpointFolder, descriptions: Descriptions, weights: WeightFiles | null): AssayError {
  const location = folder.folder === "" ? "at the root" : `in '${folder.folder}'`
  const missing = [
    ...(descriptions.config === null ? ["'config.json', which describes the model"] : []),
    ...(weights === null ? ["weights: '*.safetensors', '*.gguf' or 'pytorch_model*.bin'"] : []),
  ]
  const message = `There is no checkpoint ${location}: missing are ${missing.join(", and ")}${hint(folder, weights)}.`
  return new AssayError("not_a_checkpoint", message, { context: { missing } })
}

/** Returns a hint if the folder contains something known instead. */
function hint({ files, elsewhere }: CheckpointFolder, weights: WeightFiles | null): string {
  if (files.has("adapter_config.json")) {
    return "; 'adapter_config.json' is there: this is an adapter, not the model that it was trained for"
  }
  if (weights !== null && files.has("params.json")) {
    return "; 'params.json' is there: convert these original weights to the layout of transformers first"
  }
  if (elsewhere.length === 0) return ""
  return `; but there is something in ${elsewhere.map((one) => `'${one}'`).join(", ")}: move it up`
}

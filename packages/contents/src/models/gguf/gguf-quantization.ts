import type { Quantization } from "@assay/schemas"
import type { StoredTensor } from "../tensors/stored-tensor.ts"
import { GGUF_FILE_TYPES, GGUF_TYPES } from "./gguf-types.ts"
import type { GgufValue } from "./read-gguf-value.ts"

const WHOLE = /^(F16|F32|F64|BF16|I\d+)$/

/** How the weights of a GGUF file are packed, by the type of most bytes; null where most are plain numbers. */
export function ggufQuantization(
  metadata: ReadonlyMap<string, GgufValue>,
  tensors: readonly StoredTensor[],
): Quantization | null {
  const bytes = new Map<string, number>()
  for (const tensor of tensors) bytes.set(tensor.type, (bytes.get(tensor.type) ?? 0) + tensor.bytes)
  const [most] = [...bytes].toSorted(([, a], [, b]) => b - a)
  const name = most?.[0]
  if (name === undefined || WHOLE.test(name)) return null
  const type = Object.values(GGUF_TYPES).find((one) => one.name === name)
  const fileType = metadata.get("general.file_type")
  const mixture = typeof fileType === "number" ? GGUF_FILE_TYPES[fileType] : undefined
  return {
    method: "gguf",
    format: mixture ?? name,
    bits: type === undefined ? null : (8 * type.bytes) / type.block,
    group_size: type?.block ?? null,
  }
}

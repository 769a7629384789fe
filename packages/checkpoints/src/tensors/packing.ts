import type { Quantization } from "@assay/schemas"
import { elementsOf, type StoredTensor } from "./stored-tensor.ts"

/** A parameter of the model, independent of how its bytes are packed. */
export interface Weight {
  /** The unpacked name: `….q_proj.weight`. */
  readonly name: string
  readonly elements: number
  /** Null if packing lost it. */
  readonly shape: readonly number[] | null
  readonly precision: string
}

/** The other tensors, and the packing that the config states. */
export interface PackingContext {
  readonly find: (name: string) => StoredTensor | undefined
  readonly quantization: Quantization | null
}

/** Returns the weight that a tensor packs, or undefined if this rule does not apply. */
type PackingRule = (tensor: StoredTensor, context: PackingContext) => Weight | undefined

const WORD_BITS = 32

/** GPTQ (`[in / n, out]`) and AWQ (`[in, out / n]`): several weights per 32-bit word. */
const wordsWithZeros: PackingRule = (tensor, { find, quantization }) => {
  const module = beforeSuffix(tensor.name, ".qweight")
  if (module === undefined) return undefined
  const scales = find(`${module}.scales`)
  const out = scales?.shape.at(-1)
  const zeros = find(`${module}.qzeros`)?.shape.at(-1)
  const bits = plausible(zeros === undefined || !out ? undefined : (WORD_BITS * zeros) / out) ?? quantization?.bits ?? 4
  const elements = (tensor.bytes * 8) / bits
  const shape = out === undefined || !Number.isInteger(elements / out) ? null : [out, elements / out]
  return { name: `${module}.weight`, elements, shape, precision: `int${bits}` }
}

/** compressed-tensors: `[out, in / n]`, with integers in words or pairs of 4-bit floats in bytes. */
const compressed: PackingRule = (tensor, context) => {
  const module = beforeSuffix(tensor.name, ".weight_packed")
  if (module === undefined) return undefined
  if (tensor.type === "U8") return pairs(tensor, `${module}.weight`, "nvfp4")
  return rowsOfWords(tensor, `${module}.weight`, context.find(`${module}.weight_scale`), context.quantization)
}

/** MLX: `[out, in / n]`, in words beside `scales` and `biases`. */
const mlx: PackingRule = (tensor, { find, quantization }) => {
  const module = beforeSuffix(tensor.name, ".weight")
  if (module === undefined || tensor.type !== "U32") return undefined
  return rowsOfWords(tensor, tensor.name, find(`${module}.scales`), quantization)
}

/** MXFP4 as in gpt-oss: `[…, groups, 16]`, with pairs of 4-bit floats in bytes. */
const blocks: PackingRule = (tensor, { find }) => {
  const base = beforeSuffix(tensor.name, "_blocks")
  if (base === undefined || find(`${base}_scales`) === undefined) return undefined
  const [groups = 1, bytes = 1] = tensor.shape.slice(-2)
  const shape = [...tensor.shape.slice(0, -2), groups * bytes * 2]
  return { name: base, elements: elementsOf(shape), shape, precision: "mxfp4" }
}

/** bitsandbytes with 4 bits: one column of bytes. The shape is in the data of `quant_state`. */
const bitsandbytes: PackingRule = (tensor, { find, quantization }) => {
  if (quantization?.method !== "bitsandbytes" || find(`${tensor.name}.quant_map`) === undefined) return undefined
  return { name: tensor.name, elements: tensor.bytes * 2, shape: null, precision: quantization.format ?? "int4" }
}

/** Bytes that hold pairs of 4-bit floats (NVFP4 of ModelOpt) or four ternary weights (BitNet). */
const bytesWithScale: PackingRule = (tensor, { find, quantization }) => {
  const module = beforeSuffix(tensor.name, ".weight")
  if (module === undefined || tensor.type !== "U8" || find(`${module}.weight_scale`) === undefined) return undefined
  if (quantization?.method !== "bitnet") return pairs(tensor, tensor.name, "nvfp4")
  const [rows = 1, ...rest] = tensor.shape
  return { name: tensor.name, elements: tensor.bytes * 4, shape: [rows * 4, ...rest], precision: "int2" }
}

/** Bytes with an integer type that hold pairs of 4-bit floats, with one 8-bit exponent per 16 bytes. */
const bytesWithExponents: PackingRule = (tensor, { find }) => {
  const module = beforeSuffix(tensor.name, ".weight")
  if (module === undefined || tensor.type !== "I8") return undefined
  const scale = find(`${module}.scale`)
  if (scale?.type !== "F8_E8M0" || tensor.shape.at(-1) !== 16 * (scale.shape.at(-1) ?? 0)) return undefined
  return pairs(tensor, tensor.name, "mxfp4")
}

/** HQQ: the bits of several weights in one byte or word. */
const hqq: PackingRule = (tensor, { quantization }) => {
  const module = beforeSuffix(tensor.name, ".W_q")
  if (module === undefined) return undefined
  const bits = quantization?.bits ?? 4
  return { name: `${module}.weight`, elements: (tensor.bytes * 8) / bits, shape: null, precision: `int${bits}` }
}

const RULES: readonly PackingRule[] = [
  wordsWithZeros,
  compressed,
  mlx,
  blocks,
  bitsandbytes,
  bytesWithScale,
  bytesWithExponents,
  hqq,
]

/** Returns the weight that `tensor` packs, or undefined if it is not packed. */
export function unpackedWeight(tensor: StoredTensor, context: PackingContext): Weight | undefined {
  for (const rule of RULES) {
    const weight = rule(tensor, context)
    if (weight !== undefined) return weight
  }
  return undefined
}

function pairs(tensor: StoredTensor, name: string, precision: string): Weight {
  const shape = [...tensor.shape.slice(0, -1), 2 * (tensor.shape.at(-1) ?? 0)]
  return { name, elements: elementsOf(shape), shape, precision }
}

/**
 * Unpacks rows of words. Each group of `group_size` weights has one scale, so the scales show how many weights a word
 * holds.
 */
function rowsOfWords(
  tensor: StoredTensor,
  name: string,
  scales: StoredTensor | undefined,
  quantization: Quantization | null,
): Weight {
  const words = tensor.shape.at(-1) ?? 0
  const groups = scales?.shape.at(-1) ?? 0
  const columns = groups * (quantization?.group_size ?? 0)
  const bits = plausible(columns === 0 ? undefined : (WORD_BITS * words) / columns) ?? quantization?.bits ?? 4
  const shape = [...tensor.shape.slice(0, -1), Math.floor((WORD_BITS * words) / bits)]
  return { name, elements: elementsOf(shape), shape, precision: `int${bits}` }
}

function plausible(bits: number | undefined): number | undefined {
  return bits !== undefined && [1, 2, 3, 4, 5, 6, 8].includes(bits) ? bits : undefined
}

function beforeSuffix(name: string, suffix: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined
}

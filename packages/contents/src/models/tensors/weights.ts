import type { Quantization } from "@assay/schemas"
import { unpackedWeight } from "./packing.ts"
import { precisionOf, elementsOf, type StoredTensor } from "./stored-tensor.ts"

/** A parameter of the model as it computes with it, however its bytes are packed. */
export interface Weight {
  /** As it would be called unpacked: `….q_proj.weight`. */
  readonly name: string
  readonly elements: number
  /** Null where packing has lost it. */
  readonly shape: readonly number[] | null
  readonly precision: string
}

/** The parameters that `tensors` hold: packed ones by the shape that they unpack to, without scales and buffers. */
export function weightsOf(tensors: readonly StoredTensor[], quantization: Quantization | null): readonly Weight[] {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  const find = (name: string) => byName.get(name)
  return tensors
    .filter((tensor) => !isBesideWeights(tensor, find))
    .map((tensor) => unpackedWeight(tensor, { find, quantization }) ?? asStored(tensor))
}

function asStored({ name, shape, type }: StoredTensor): Weight {
  return { name, elements: elementsOf(shape), shape, precision: precisionOf(type) }
}

/** Tensors that a model computes or counts with, and that no training changes. */
const BUFFERS: readonly RegExp[] = [
  /(^|\.)(inv_freq|position_ids|token_type_ids|num_batches_tracked|running_mean|running_var|masked_bias)$/,
  /(^|\.)(cos_cached|sin_cached|freqs_cis|relative_position_index)$/,
  // What unpacks a weight of bitsandbytes, which may be stored in any type; scales of caches, which have no weight.
  /\.weight\.(absmax|quant_map|nested_absmax|nested_quant_map|quant_state\.\w+)$/,
  /\.(k|v|q|kv|prob)_scale$/,
]
const ROPE = /(^|\.)rope_(freqs|factors_long|factors_short)\.weight$/
/** A mask of what comes later, under the name of a bias. */
const MASK = /(^|\.)(attn|attention)\.bias$/

/** Endings of tensors that say how to unpack another one, and the endings that that one may have. */
const COMPANIONS: readonly (readonly [ending: RegExp, ...of: string[]])[] = [
  [/\.(scales|biases)$/, ".qweight", ".weight", ".codes"],
  [/\.(qzeros|g_idx)$/, ".qweight"],
  [/\.(scale|zero)$/, ".W_q", ".weight"],
  [/\.weight_(scale(_inv|_2)?|global_scale|zero_point|g_idx|shape|format)$/, ".weight", ".weight_packed"],
  [/\.(input|output)_(scale(_ub)?|global_scale|zero_point)$/, ".weight", ".weight_packed"],
  [/\.(activation_scale|act_scale|pre_quant_scale|SCB|CB)$/, ".weight"],
  [/_scales$/, "_blocks"],
  [/_(weight_|input_)?scale(_inv|_2)?$/, ""],
]
/** Types of what is packed or narrow: a tensor that is called a scale beside any other type is a parameter. */
const NARROW = /^(U8|I8|I16|I32|U32|F8_|F4|F6_|NVFP4)/

/** Whether `tensor` is no parameter: a buffer, or a scale, zero point or table that unpacks another tensor. */
function isBesideWeights(tensor: StoredTensor, find: (name: string) => StoredTensor | undefined): boolean {
  const { name, shape, type } = tensor
  if (name.endsWith(".weight")) return ROPE.test(name)
  if (BUFFERS.some((pattern) => pattern.test(name))) return true
  if (MASK.test(name) && (shape.length === 4 || type === "BOOL" || type === "U8")) return true
  return COMPANIONS.some(([ending, ...of]) => {
    const base = name.replace(ending, "")
    if (base === name) return false
    return of.some((suffix) => {
      const packed = find(base + suffix)
      return packed !== undefined && NARROW.test(packed.type)
    })
  })
}

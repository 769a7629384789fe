import type { Quantization } from "@assay/schemas"
import { unpackedWeight } from "./packing.ts"
import { precisionOf, elementsOf, type StoredTensor } from "./stored-tensor.ts"

/** A parameter of the model, independent of how its bytes are packed. */
export interface Weight {
  /** The unpacked name: `….q_proj.weight`. */
  readonly name: string
  readonly elements: number
  /** Null if packing lost it. */
  readonly shape: readonly number[] | null
  readonly precision: string
}

/**
 * Returns the parameters in `tensors`. Packed parameters have their unpacked shape. Scales and buffers are left out.
 */
export function weightsOf(tensors: readonly StoredTensor[], quantization: Quantization | null): readonly Weight[] {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  const find = (name: string) => byName.get(name)
  return tensors
    .filter((tensor) => !isNotParameter(tensor, find))
    .map((tensor) => unpackedWeight(tensor, { find, quantization }) ?? asStored(tensor))
}

function asStored({ name, shape, type }: StoredTensor): Weight {
  return { name, elements: elementsOf(shape), shape, precision: precisionOf(type) }
}

/** Tensors that a model computes or counts with, but that are not trained. */
const BUFFERS: readonly RegExp[] = [
  /(^|\.)(inv_freq|position_ids|token_type_ids|num_batches_tracked|running_mean|running_var|masked_bias)$/,
  /(^|\.)(cos_cached|sin_cached|freqs_cis|relative_position_index)$/,
  // Data that unpacks bitsandbytes weights, which can have any type; and scales of caches, which have no weight.
  /\.weight\.(absmax|quant_map|nested_absmax|nested_quant_map|quant_state\.\w+)$/,
  /\.(k|v|q|kv|prob)_scale$/,
]
const ROPE = /(^|\.)rope_(freqs|factors_long|factors_short)\.weight$/
/** A causal mask that is stored under the name of a bias. */
const MASK = /(^|\.)(attn|attention)\.bias$/

/** Endings of tensors that describe how to unpack another tensor, with the possible endings of that tensor. */
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
/** Types of packed or narrow tensors. A "scale" beside a tensor of any other type is a parameter. */
const NARROW = /^(U8|I8|I16|I32|U32|F8_|F4|F6_|NVFP4)/

/**
 * Returns whether `tensor` is not a parameter but a buffer, or a scale, zero point or table for unpacking another
 * tensor.
 */
function isNotParameter(tensor: StoredTensor, find: (name: string) => StoredTensor | undefined): boolean {
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

import type { Quantization } from "@assay/schemas"
import { unpackedWeight, type Weight } from "./packing.ts"
import { elementsOf, precisionOf, type StoredTensor } from "./stored-tensor.ts"

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

/** Weights whose names differ only in numbers: the same location in every layer, or in every expert of every layer. */
export interface WeightGroup {
  /** The name with `*` for each number. */
  readonly pattern: string
  readonly weights: readonly Weight[]
  readonly elements: number
  /** The layers that contain it. Empty for weights outside layers. */
  readonly layers: ReadonlySet<number>
}

const NUMBER = /(?<=^|\.)\d+(?=\.|$)/g
const IN_LAYER = /(?:^|\.)(?:layers|layer|h|blocks|block|blk)\.(\d+)\./

/** Returns the layer of a weight, or undefined for weights outside layers. */
function layerOf(name: string): number | undefined {
  const number = IN_LAYER.exec(name)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Groups `weights`, sorted by pattern. */
export function groupWeights(weights: readonly Weight[]): readonly WeightGroup[] {
  const groups = Map.groupBy(weights, ({ name }) => name.replaceAll(NUMBER, "*"))
  return [...groups]
    .map(([pattern, members]) => ({
      pattern,
      weights: members,
      elements: sumElements(members),
      layers: new Set(members.flatMap(({ name }) => layerOf(name) ?? [])),
    }))
    .toSorted((a, b) => (a.pattern < b.pattern ? -1 : 1))
}

export function sumElements(weights: readonly Weight[]): number {
  return weights.reduce((sum, { elements }) => sum + elements, 0)
}

const TOWER = /(^|\.)(vision\w*|visual\w*|vit|audio\w*|image_\w+|img_\w+|speech\w*|multi_modal_projector)\./

/** Returns whether a weight is part of a model for images or sound, whose layers are not those of the text model. */
export function isOfTower(name: string): boolean {
  return TOWER.test(name)
}

/** The weights of the model, and those of layers that only draft tokens for it (multi-token prediction). */
interface SplitWeights {
  readonly model: readonly Weight[]
  readonly draft: readonly Weight[]
}

const DRAFT = /(^|\.)(mtp|mtp_layers|mtp_block|nextn|nextn_predict_layers)\./
/**
 * Separates drafting layers. They are recognized by name, or by a number after the `layers` of the config: DeepSeek-V3
 * has layers 0 to 60 and drafting layer 61.
 */
export function splitDraft(weights: readonly Weight[], layers: number | undefined, draftLayers: number): SplitWeights {
  const isDraft = ({ name }: Weight) => {
    if (DRAFT.test(name)) return true
    if (draftLayers === 0 || layers === undefined || isOfTower(name)) return false
    return (layerOf(name) ?? 0) >= layers
  }
  const { model = [], draft = [] } = Object.groupBy(weights, (weight) => (isDraft(weight) ? "draft" : "model"))
  return { model, draft }
}

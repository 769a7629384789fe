import type { JsonObject } from "../files/read-json-file.ts"
import { numberOf, sizeOf, textOf, textsOf, valueAt } from "./config-values.ts"

/** How many layers of each kind a config asks for; one layer can be of two. */
export interface LayerKinds {
  readonly expert: number
  readonly mamba: number
  readonly attention: number
  /** With an MLP and nothing else. */
  readonly mlp: number
}

/**
 * Counts layers by what configs say about them, for checkpoints whose weights can't be looked into: a list of types, a
 * pattern of letters (Nemotron-H: `M` Mamba, `*` attention, `-` MLP, `E` experts), or a period with an offset.
 */
export function layerKinds(config: JsonObject): LayerKinds {
  const layers = sizeOf(config, "layers") ?? 0
  const pattern = textOf(config, "hybrid_override_pattern")
  if (pattern !== undefined) {
    const count = (letter: string) => pattern.split(letter).length - 1
    return { expert: count("E"), mamba: count("M"), attention: count("*"), mlp: count("-") }
  }
  const numbers = Array.from({ length: Math.min(layers, 10_000) }, (_, index) => index)
  const attention = numbers.filter((index) => isAttention(config, index)).length
  const isStateSpace = sizeOf(config, "stateSize") !== undefined
  return {
    expert: sizeOf(config, "experts") === undefined ? 0 : numbers.filter((index) => hasExperts(config, index)).length,
    mamba: isStateSpace ? layers - attention : 0,
    attention: isStateSpace ? attention : layers,
    mlp: 0,
  }
}

function isAttention(config: JsonObject, index: number): boolean {
  const types = textsOf(config, "layers_block_type") ?? textsOf(config, "layer_types")
  if (types !== undefined) return /attention|hybrid/.test(types[index] ?? "")
  const indices = valueAt(config, "attn_layer_indices") ?? valueAt(config, "hybrid_layer_ids")
  if (Array.isArray(indices)) return indices.includes(index)
  const period = numberOf(config, "attn_layer_period")
  return period !== undefined && index % period === (numberOf(config, "attn_layer_offset") ?? 0)
}

function hasExperts(config: JsonObject, index: number): boolean {
  const named = valueAt(config, "moe_layers")
  if (Array.isArray(named)) return named.includes(index)
  const dense = valueAt(config, "mlp_only_layers")
  if (Array.isArray(dense) && dense.includes(index)) return false
  const period = numberOf(config, "expert_layer_period")
  if (period !== undefined) return index % period === (numberOf(config, "expert_layer_offset") ?? 0)
  const frequencies = valueAt(config, "moe_layer_freq")
  if (Array.isArray(frequencies)) return Boolean(frequencies[index])
  if (index < (numberOf(config, "first_k_dense_replace") ?? numberOf(config, "moe_layer_start_index") ?? 0))
    return false
  const step = numberOf(config, "decoder_sparse_step") ?? numberOf(config, "interleave_moe_layer_step")
  if (step !== undefined) return step > 0 && (index + 1) % step === 0
  return typeof frequencies !== "number" || index % frequencies === 0
}

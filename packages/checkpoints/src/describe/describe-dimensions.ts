import type { ModelSpec, SlidingWindowConfig } from "@assay/schemas"
import { isJsonObject, type JsonObject } from "@assay/json"
import { flagAt, numberAt, sizeOf, textAt, textsOf } from "../architecture/config-values.ts"
import { mambaConfig, moeConfig } from "../architecture/layer-kinds.ts"
import type { ModelFamily } from "../architecture/model-families.ts"
import type { DescribedWeights } from "./describe-weights.ts"
import type { ModelIdentity } from "./identify-model.ts"

export type ModelDimensions = Pick<
  ModelSpec,
  | "context_size"
  | "num_layers"
  | "hidden_size"
  | "num_attention_heads"
  | "num_kv_heads"
  | "ffn_hidden_size"
  | "vocab_size"
  | "tied_embeddings"
  | "gated_mlp"
  | "moe_config"
  | "mamba_config"
  | "sliding_window_config"
>

/** Returns the dimensions of a model from its config, corrected by its weights. */
export function describeDimensions(
  { config, family }: ModelIdentity,
  weights: DescribedWeights | null,
  tokenizer: JsonObject | null,
): ModelDimensions {
  const survey = weights?.survey ?? null
  const hidden = sizeOf(config, "hidden") ?? null
  const heads = family?.kind === "state-space" ? undefined : sizeOf(config, "heads")
  const usualFfn = hidden === null || family?.ffnFactor === undefined ? null : hidden * family.ffnFactor
  return {
    context_size: contextSize(config, tokenizer, family),
    num_layers: sizeOf(config, "layers") ?? (survey === null || survey.layers === 0 ? null : survey.layers),
    hidden_size: hidden,
    num_attention_heads: heads ?? null,
    num_kv_heads: heads === undefined ? null : kvHeads(config, heads),
    ffn_hidden_size: sizeOf(config, "ffn") ?? usualFfn,
    vocab_size: sizeOf(config, "vocab") ?? weights?.vocabulary ?? null,
    tied_embeddings: weights?.isTied ?? flagAt(config, "tie_word_embeddings") ?? family?.tied ?? false,
    gated_mlp: survey?.isGated ?? family?.gated ?? true,
    moe_config: moeConfig(config, survey),
    mamba_config: mambaConfig(config, survey),
    sliding_window_config: slidingWindow(config),
  }
}

/**
 * Returns the number of key and value heads: a separate number (grouped), one (multi-query), or the number of attention
 * heads. For latent attention (MLA) the config gives the number of unfolded heads.
 */
export function kvHeads(config: JsonObject, heads: number): number {
  const isFalcon = flagAt(config, "new_decoder_architecture") !== undefined
  const isMultiQuery = flagAt(config, "multi_query") === true && flagAt(config, "new_decoder_architecture") !== true
  if (isMultiQuery) return 1
  // Old Falcon configs contain a number that applies only to the new layout.
  if (isFalcon && flagAt(config, "new_decoder_architecture") === false) return heads
  return sizeOf(config, "kvHeads") ?? heads
}

/** Returns the size of the sliding window, or null if no layer has one. */
export function slidingWindow(config: JsonObject): SlidingWindowConfig | null {
  const size = sizeOf(config, "window")
  if (size === undefined || flagAt(config, "use_sliding_window") === false) return null
  const types = textsOf(config, "layer_types")
  if (types !== undefined && !types.some((type) => /sliding|local|chunked/.test(type))) return null
  // In Qwen2, the layers from `max_window_layers` on have a window.
  const layers = sizeOf(config, "layers")
  const from = numberAt(config, "max_window_layers")
  const isOn = types !== undefined || from === undefined || layers === undefined || from < layers
  return isOn ? { window_size: size } : null
}

/** Kinds of rotary scaling whose factor the config already includes in its number of positions. */
const COUNTED_IN = new Set(["default", "llama3", "su", "longrope", "mrope", "proportional"])
/** Tokenizers without a limit state 10³⁰. */
const NO_LIMIT = 1e9

/**
 * Returns the number of tokens that the model is made for. A factor that stretches its positions is multiplied in, as
 * vLLM does for `max_model_len`. If the config has no number, the tokenizer's is used.
 */
export function contextSize(
  config: JsonObject,
  tokenizer: JsonObject | null,
  family: ModelFamily | undefined,
): number | null {
  const positions = sizeOf(config, "context")
  if (positions === undefined) {
    const limit = numberAt(tokenizer ?? {}, "model_max_length")
    return limit !== undefined && limit > 0 && limit < NO_LIMIT ? limit : null
  }
  const all = family?.isStretched === true ? positions : stretched(config, positions)
  return Math.max(all - (family?.extraPositions ?? 0), 1)
}

function stretched(config: JsonObject, positions: number): number {
  const scaling = config["rope_scaling"] ?? config["rope_parameters"]
  if (!isJsonObject(scaling)) return positions
  const type = textAt(scaling, "rope_type") ?? textAt(scaling, "type") ?? "default"
  const factor = numberAt(scaling, "factor")
  if (COUNTED_IN.has(type) || factor === undefined || factor <= 1) return positions
  const original = numberAt(scaling, "original_max_position_embeddings") ?? positions
  return Math.max(positions, Math.floor((type === "yarn" ? original : positions) * factor))
}

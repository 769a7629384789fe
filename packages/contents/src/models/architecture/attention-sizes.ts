import type { SlidingWindowConfig } from "@assay/schemas"
import { isJsonObject, type JsonObject } from "../../schemas/json-schema.ts"
import { flagOf, sizeOf, numberOf, textsOf, textOf } from "./config-values.ts"
import type { ModelFamily } from "./model-families.ts"

/**
 * Heads of keys and values: a number of their own (grouped), one (multi-query), or as many as attention heads. Latent
 * attention (MLA) has what its config says, which are the heads after it has been unfolded.
 */
export function kvHeads(config: JsonObject, heads: number): number {
  const isFalcon = flagOf(config, "new_decoder_architecture") !== undefined
  const isMultiQuery = flagOf(config, "multi_query") === true && flagOf(config, "new_decoder_architecture") !== true
  if (isMultiQuery) return 1
  // Old Falcon configs have a number that counts with the new layout alone.
  if (isFalcon && flagOf(config, "new_decoder_architecture") === false) return heads
  return sizeOf(config, "kvHeads") ?? heads
}

/** The window of the layers that have one; null where none does. */
export function slidingWindow(config: JsonObject): SlidingWindowConfig | null {
  const size = sizeOf(config, "window")
  if (size === undefined || flagOf(config, "use_sliding_window") === false) return null
  const types = textsOf(config, "layer_types")
  if (types !== undefined && !types.some((type) => /sliding|local|chunked/.test(type))) return null
  // Qwen2 switches it on for the layers from `max_window_layers` on.
  const layers = sizeOf(config, "layers")
  const from = numberOf(config, "max_window_layers")
  const isOn = types !== undefined || from === undefined || layers === undefined || from < layers
  return isOn ? { window_size: size } : null
}

/** Ways to stretch rotary positions whose factor is in the config's number of positions already. */
const COUNTED_IN = new Set(["default", "llama3", "su", "longrope", "mrope", "proportional"])
/** Tokenizers without a limit say 10³⁰. */
const NO_LIMIT = 1e9

/**
 * How many tokens the model is made for. A factor that stretches its positions is multiplied in, as vLLM does when it
 * derives `max_model_len`; where the config has no number, the tokenizer's counts.
 */
export function contextSize(
  config: JsonObject,
  tokenizer: JsonObject | null,
  family: ModelFamily | undefined,
): number | null {
  const positions = sizeOf(config, "context")
  if (positions === undefined) {
    const limit = numberOf(tokenizer ?? {}, "model_max_length")
    return limit !== undefined && limit > 0 && limit < NO_LIMIT ? limit : null
  }
  return Math.max(stretched(config, positions) - (family?.extraPositions ?? 0), 1)
}

function stretched(config: JsonObject, positions: number): number {
  const scaling = config["rope_scaling"] ?? config["rope_parameters"]
  if (!isJsonObject(scaling)) return positions
  const type = textOf(scaling, "rope_type") ?? textOf(scaling, "type") ?? "default"
  const factor = numberOf(scaling, "factor")
  if (COUNTED_IN.has(type) || factor === undefined || factor <= 1) return positions
  const original = numberOf(scaling, "original_max_position_embeddings") ?? positions
  return Math.max(positions, Math.floor((type === "yarn" ? original : positions) * factor))
}

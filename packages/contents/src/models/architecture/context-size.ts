import { isJsonObject, type JsonObject } from "../files/read-json-file.ts"
import { numberOf, sizeOf, textOf } from "./config-values.ts"
import type { ModelFamily } from "./model-family.ts"

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

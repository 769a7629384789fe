import type { ModelSpec } from "@assay/schemas"
import type { JsonObject } from "../../schemas/json-schema.ts"
import { contextSize, kvHeads, slidingWindow } from "../architecture/attention-sizes.ts"
import { flagOf, sizeOf } from "../architecture/config-values.ts"
import { mambaConfig, moeConfig } from "../architecture/layer-kinds.ts"
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
    tied_embeddings: weights?.isTied ?? flagOf(config, "tie_word_embeddings") ?? family?.tied ?? false,
    gated_mlp: survey?.isGated ?? family?.gated ?? true,
    moe_config: moeConfig(config, survey),
    mamba_config: mambaConfig(config, survey),
    sliding_window_config: slidingWindow(config),
  }
}

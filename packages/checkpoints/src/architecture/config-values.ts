import { isJsonObject, type JsonObject } from "@assay/json"

/** Returns the value at `path`. A dot in `path` descends into an object. */
export function valueAt(config: JsonObject, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      config,
    )
}

/**
 * Returns the first size above 0 in the config. If the value is a list with one size per layer, it returns the largest.
 */
export function sizeOf(config: JsonObject, size: ConfigSize): number | undefined {
  for (const key of CONFIG_KEYS[size]) {
    const value = valueAt(config, key)
    const found = Array.isArray(value) ? value.filter(isSize).reduce((most, one) => Math.max(most, one), 0) : value
    if (isSize(found) && found > 0) return found
  }
  return undefined
}

export function textAt(config: JsonObject, path: string): string | undefined {
  const value = valueAt(config, path)
  return typeof value === "string" ? value : undefined
}

export function flagAt(config: JsonObject, path: string): boolean | undefined {
  const value = valueAt(config, path)
  return typeof value === "boolean" ? value : undefined
}

export function numberAt(config: JsonObject, path: string): number | undefined {
  const value = valueAt(config, path)
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/** Sizes that a config omits because they are the defaults of its class. */
export type DefaultSizes = Readonly<Partial<Record<ConfigSize, number>>>

/** Returns the config with the sizes that it has under none of their keys. */
export function withDefaultSizes(config: JsonObject, defaults: DefaultSizes): JsonObject {
  const missing = Object.entries(defaults).flatMap(([size, value]) => {
    const known = size as ConfigSize
    return sizeOf(config, known) === undefined ? [[CONFIG_KEYS[known][0], value] as const] : []
  })
  return { ...config, ...Object.fromEntries(missing) }
}

/** Returns the texts of a list, such as the types of the layers. */
export function textsOf(config: JsonObject, path: string): readonly string[] | undefined {
  const value = valueAt(config, path)
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined
}

function isSize(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
}

/** Keys under which multimodal models store the config of their text model. */
export const TEXT_HALVES = ["text_config", "llm_config", "language_config", "thinker_config.text_config"]

/**
 * Returns the config of the text model, completed from the whole config. Returns the config itself if it has no
 * separate text model.
 */
export function textConfig(config: JsonObject): JsonObject {
  const half = TEXT_HALVES.map((path) => valueAt(config, path)).find(isJsonObject)
  return half === undefined ? config : { ...config, ...half }
}

/**
 * The keys under which configs store each size, in order of precedence. A dot descends into an object. The names come
 * from the configurations in `transformers` and from models with their own code.
 */
const CONFIG_KEYS = {
  layers: ["num_hidden_layers", "n_layers", "n_layer", "num_layers", "decoder_layers", "encoder_layers"],
  hidden: ["hidden_size", "n_embd", "d_model", "dim", "model_dim", "n_embed"],
  heads: [
    "num_attention_heads",
    "n_heads",
    "n_head",
    "num_heads",
    "decoder_attention_heads",
    "encoder_attention_heads",
  ],
  kvHeads: [
    "num_key_value_heads",
    "num_kv_heads",
    "n_head_kv",
    "n_kv_heads",
    "multi_query_group_num",
    "num_query_groups",
    "attn_config.kv_n_heads",
  ],
  headSize: ["head_dim", "attention_head_dim", "d_kv", "kv_channels"],
  ffn: [
    "intermediate_size_mlp",
    "intermediate_size",
    "ffn_hidden_size",
    "n_inner",
    "ffn_dim",
    "decoder_ffn_dim",
    "d_ff",
    "inner_dim",
    "ffn_config.ffn_hidden_size",
  ],
  vocab: ["vocab_size", "padded_vocab_size", "n_vocab"],
  context: [
    "max_position_embeddings",
    "n_positions",
    "max_sequence_length",
    "max_seq_len",
    "seq_length",
    "max_seq_length",
    "n_ctx",
    "max_target_positions",
    "max_trained_positions",
    "context_length",
  ],
  experts: [
    "num_local_experts",
    "n_routed_experts",
    "num_experts",
    "moe_num_experts",
    "num_moe_experts",
    "ffn_config.moe_num_experts",
  ],
  expertsPerToken: [
    "num_experts_per_tok",
    "num_experts_per_token",
    "experts_per_token",
    "top_k_experts",
    "moe_top_k",
    "moe_topk",
    "moe_k",
    "ffn_config.moe_top_k",
  ],
  expertFfn: [
    "moe_intermediate_size",
    "expert_intermediate_size",
    "moe_ffn_hidden_size",
    "expert_ffn_hidden_size",
    "ffn_config.ffn_hidden_size",
  ],
  sharedExperts: ["n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"],
  stateSize: ["ssm_state_size", "state_size", "mamba_d_state", "d_state", "ssm_cfg.d_state", "linear_key_head_dim"],
  convKernel: [
    "conv_kernel",
    "mamba_d_conv",
    "mamba_conv_kernel",
    "d_conv",
    "ssm_cfg.d_conv",
    "linear_conv_kernel_dim",
  ],
  window: ["sliding_window", "sliding_window_size", "local_attention", "window_size", "attention_window_size"],
  draftLayers: ["num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers", "mtp_num_layers"],
} as const satisfies Readonly<Record<string, readonly string[]>>

type ConfigSize = keyof typeof CONFIG_KEYS

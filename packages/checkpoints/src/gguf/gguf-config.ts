import type { Quantization } from "@assay/schemas"
import type { JsonObject } from "@assay/json"
import { findGgufFamily } from "../architecture/model-families.ts"
import type { StoredTensor } from "../tensors/stored-tensor.ts"
import { GGUF_FILE_TYPES, GGUF_TYPES } from "./gguf-types.ts"
import type { GgufValue } from "./read-gguf-value.ts"

/** Keys of configs, and the corresponding keys of GGUF files, which are relative to the architecture's name. */
const KEYS: Readonly<Record<string, string>> = {
  max_position_embeddings: "context_length",
  hidden_size: "embedding_length",
  intermediate_size: "feed_forward_length",
  num_attention_heads: "attention.head_count",
  num_key_value_heads: "attention.head_count_kv",
  head_dim: "attention.key_length",
  kv_lora_rank: "attention.kv_lora_rank",
  q_lora_rank: "attention.q_lora_rank",
  sliding_window: "attention.sliding_window",
  num_experts: "expert_count",
  num_experts_per_tok: "expert_used_count",
  num_shared_experts: "expert_shared_count",
  moe_intermediate_size: "expert_feed_forward_length",
  first_k_dense_replace: "leading_dense_block_count",
  num_nextn_predict_layers: "nextn_predict_layers",
  ssm_state_size: "ssm.state_size",
  conv_kernel: "ssm.conv_kernel",
  pooling_type: "pooling_type",
  is_causal: "attention.causal",
  vocab_size: "vocab_size",
}

const CHAT_TEMPLATE = "tokenizer.chat_template"
const VOCABULARY = "tokenizer.ggml.tokens"

/** Converts the metadata of a GGUF file to the config of the same model. */
export function ggufConfig(metadata: ReadonlyMap<string, GgufValue>): JsonObject {
  const architecture = plain(metadata.get("general.architecture"))
  const name = typeof architecture === "string" ? architecture : "unknown"
  const read = (key: string) => plain(metadata.get(`${name}.${key}`))
  const sizes = Object.entries(KEYS).map(([config, key]) => [config, read(key)] as const)
  const blocks = read("block_count")
  const drafts = read("nextn_predict_layers")
  const vocabulary = metadata.get(VOCABULARY)
  const known = Object.fromEntries(sizes.filter(([, value]) => value !== undefined))
  return {
    ...(typeof vocabulary === "object" && vocabulary !== null ? { vocab_size: vocabulary.length } : {}),
    ...known,
    // The block count includes drafting layers.
    ...(typeof blocks === "number" ? { num_hidden_layers: blocks - (typeof drafts === "number" ? drafts : 0) } : {}),
    model_type: findGgufFamily(name)?.family ?? name,
    architectures: [name],
  }
}

/** Returns the chat templates of a GGUF file by name. Those beside the default one have keys that end in their name. */
export function ggufTemplates(metadata: ReadonlyMap<string, GgufValue>): ReadonlyMap<string, string> {
  const named = [...metadata].flatMap(([key, value]) => {
    if (typeof value !== "string") return []
    if (key === CHAT_TEMPLATE) return [["default", value] as const]
    return key.startsWith(`${CHAT_TEMPLATE}.`) ? [[key.slice(CHAT_TEMPLATE.length + 1), value] as const] : []
  })
  return new Map(named)
}

function plain(value: GgufValue | undefined): string | number | boolean | readonly number[] | undefined {
  if (typeof value !== "object") return value
  return value?.numbers ?? undefined
}

const WHOLE = /^(F16|F32|F64|BF16|I\d+)$/

/**
 * Returns how the weights of a GGUF file are packed, by the type that takes most bytes. Returns null if most weights
 * are plain numbers.
 */
export function ggufQuantization(
  metadata: ReadonlyMap<string, GgufValue>,
  tensors: readonly StoredTensor[],
): Quantization | null {
  const bytes = new Map<string, number>()
  for (const tensor of tensors) bytes.set(tensor.type, (bytes.get(tensor.type) ?? 0) + tensor.bytes)
  const [most] = [...bytes].toSorted(([, a], [, b]) => b - a)
  const name = most?.[0]
  if (name === undefined || WHOLE.test(name)) return null
  const type = Object.values(GGUF_TYPES).find((one) => one.name === name)
  const fileType = metadata.get("general.file_type")
  const mixture = typeof fileType === "number" ? GGUF_FILE_TYPES[fileType] : undefined
  return {
    method: "gguf",
    format: mixture ?? name,
    bits: type === undefined ? null : (8 * type.bytes) / type.block,
    group_size: type?.block ?? null,
  }
}

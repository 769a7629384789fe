import type { MambaConfig, MoeConfig } from "@assay/schemas"
import type { JsonObject } from "@assay/json"
import { numberAt, sizeOf } from "./config-values.ts"

export interface EstimateOptions {
  readonly config: JsonObject
  readonly kind: "decoder" | "encoder" | "encoder-decoder" | "state-space"
  readonly ffn: number
  readonly isGated: boolean
  readonly isTied: boolean
  readonly moe: MoeConfig | null
  readonly mamba: MambaConfig | null
}

/**
 * Estimates the number of parameters from the config, for weights whose headers can't be read. It counts matrices,
 * tables and norms, and biases for encoders only. Returns null if a size is missing in the config.
 */
export function estimateParameters(options: EstimateOptions): number | null {
  const { config, kind, isTied, moe, mamba } = options
  const hidden = sizeOf(config, "hidden")
  const layers = sizeOf(config, "layers")
  const vocabulary = sizeOf(config, "vocab")
  if (hidden === undefined || layers === undefined || vocabulary === undefined) return null
  const expertLayers = moe?.num_expert_layers ?? 0
  const mambaLayers = mamba?.num_mamba_layers ?? 0
  const attentionLayers = mamba === null ? layers : mamba.num_attention_layers
  const denseLayers = kind === "state-space" ? 0 : layers - expertLayers
  const biases = kind === "encoder" ? 1 : 0
  const attention = attentionParameters(config, hidden) + biases * 4 * hidden
  const mlp = mlpParameters(hidden, options.ffn, options.isGated) + biases * (options.ffn + hidden)
  const norms = (kind === "encoder" ? 4 : 2) * hidden
  const tables = (isTied || kind === "encoder" ? 1 : 2) * vocabulary * hidden
  const decoder =
    kind === "encoder-decoder"
      ? (sizeOf({ decoder_layers: config["num_decoder_layers"] ?? config["decoder_layers"] }, "layers") ?? layers)
      : 0
  return (
    tables +
    (kind === "encoder" ? encoderTables(config, hidden) : hidden) +
    attentionLayers * attention +
    denseLayers * mlp +
    expertLayers * expertParameters(hidden, moe, options.isGated) +
    mambaLayers * mambaParameters(config, hidden) +
    layers * norms +
    decoder * (2 * attention + mlp + 3 * hidden)
  )
}

function attentionParameters(config: JsonObject, hidden: number): number {
  const heads = sizeOf(config, "heads") ?? 1
  const rank = numberAt(config, "kv_lora_rank")
  if (rank !== undefined && rank > 0) return latentAttention(config, hidden, heads, rank)
  const headSize = sizeOf(config, "headSize") ?? hidden / heads
  const kvHeads = sizeOf(config, "kvHeads") ?? heads
  return 2 * hidden * heads * headSize + 2 * hidden * kvHeads * headSize
}

/** Estimates multi-head latent attention: DeepSeek-V2, §2.1. */
function latentAttention(config: JsonObject, hidden: number, heads: number, rank: number): number {
  const rope = numberAt(config, "qk_rope_head_dim") ?? 64
  const nope = numberAt(config, "qk_nope_head_dim") ?? 128
  const value = numberAt(config, "v_head_dim") ?? 128
  const queryRank = numberAt(config, "q_lora_rank") ?? 0
  const query =
    queryRank > 0 ? queryRank * (hidden + heads * (nope + rope)) + queryRank : hidden * heads * (nope + rope)
  return query + hidden * (rank + rope) + rank + rank * heads * (nope + value) + heads * value * hidden
}

function mlpParameters(hidden: number, ffn: number, isGated: boolean): number {
  return (isGated ? 3 : 2) * hidden * ffn
}

/** Estimates the number of parameters of all routed experts. Returns null if their size is unknown. */
export function estimateExperts(hidden: number | null, moe: MoeConfig, isGated: boolean): number | null {
  if (hidden === null || moe.expert_ffn_size === null) return null
  return moe.num_expert_layers * moe.num_experts * mlpParameters(hidden, moe.expert_ffn_size, isGated)
}

function expertParameters(hidden: number, moe: MoeConfig | null, isGated: boolean): number {
  if (moe === null) return 0
  const one = mlpParameters(hidden, moe.expert_ffn_size ?? 0, isGated)
  return (moe.num_experts + moe.num_shared_experts) * one + moe.num_experts * hidden
}

/** Returns the parameters of one Mamba layer: Gu and Dao 2023, §3.4, with an inner width of twice the model's. */
function mambaParameters(config: JsonObject, hidden: number): number {
  const inner = 2 * hidden
  const state = sizeOf(config, "stateSize") ?? 16
  const step = Math.ceil(hidden / 16)
  const kernel = sizeOf(config, "convKernel") ?? 4
  return (
    hidden * 2 * inner +
    inner * (kernel + 1) +
    inner * (step + 2 * state) +
    (step + 1) * inner +
    inner * (state + 1) +
    inner * hidden
  )
}

/** Returns the parameters of the position and segment tables with their norm, and of the pooler. */
function encoderTables(config: JsonObject, hidden: number): number {
  const positions = sizeOf(config, "context") ?? 0
  const segments = numberAt(config, "type_vocab_size") ?? 0
  return (positions + segments + 2) * hidden + hidden * hidden + hidden
}

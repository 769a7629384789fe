import type { MoeConfig, MambaConfig } from "@assay/schemas"
import type { JsonObject } from "@assay/json"
import type { LayerSurvey } from "../tensors/layer-survey.ts"
import { sizeOf, numberAt, textAt, textsOf, valueAt } from "./config-values.ts"

/**
 * Returns the experts of a model, or null if it has none. Layers are counted in the weights if their headers were read.
 */
export function moeConfig(config: JsonObject, survey: LayerSurvey | null): MoeConfig | null {
  const experts = sizeOf(config, "experts") ?? survey?.experts ?? 0
  const layers = survey?.expertLayers ?? layerKinds(config).expert
  if (experts < 2 || layers === 0) return null
  const shared = sizeOf(config, "sharedExperts") ?? (hasSharedExpert(config, survey) ? 1 : 0)
  return {
    num_experts: experts,
    num_experts_per_tok: sizeOf(config, "expertsPerToken") ?? null,
    num_expert_layers: layers,
    expert_ffn_size: sizeOf(config, "expertFfn") ?? ownFfn(config) ?? null,
    num_shared_experts: shared,
  }
}

/** Returns the size of the MLP, which is the size of the experts if none is given for them. */
function ownFfn(config: JsonObject): number | undefined {
  return sizeOf({ intermediate_size: config["intermediate_size"] }, "ffn") ?? sizeOf(config, "ffn")
}

function hasSharedExpert(config: JsonObject, survey: LayerSurvey | null): boolean {
  if (survey !== null) return survey.hasSharedExpert
  return Number(config["shared_expert_intermediate_size"] ?? config["shared_intermediate_size"] ?? 0) > 0
}

/**
 * Returns the state-space layers of a model, or null if it has none. Layers with linear attention are among them: like
 * Mamba, they keep a state of fixed size, and only the other attention layers have a cache of keys and values.
 */
export function mambaConfig(config: JsonObject, survey: LayerSurvey | null): MambaConfig | null {
  const kinds = layerKinds(config)
  // The weights of some linear attentions have the names of an ordinary one.
  const isSurveyed = survey !== null && survey.mambaLayers > 0
  if (!isSurveyed && survey !== null && !hasLinearAttention(config)) return null
  const mamba = isSurveyed ? survey.mambaLayers : kinds.mamba
  if (mamba === 0) return null
  const attention = isSurveyed ? survey.attentionLayers : kinds.attention
  return {
    is_hybrid: attention > 0,
    num_mamba_layers: mamba,
    num_attention_layers: attention,
    num_mlp_layers: survey?.mlpLayers ?? kinds.mlp,
    state_size: sizeOf(config, "stateSize") ?? null,
    conv_kernel: sizeOf(config, "convKernel") ?? null,
  }
}

/** The number of layers of each kind. One layer can be of two kinds. */
interface LayerKinds {
  readonly expert: number
  readonly mamba: number
  readonly attention: number
  /** Layers with only an MLP. */
  readonly mlp: number
}

/**
 * Counts layers by their description in the config, for checkpoints whose weight headers can't be read. The description
 * is a list of types, a pattern of letters (Nemotron-H: `M` Mamba, `*` attention, `-` MLP, `E` experts), or a period
 * with an offset.
 */
export function layerKinds(config: JsonObject): LayerKinds {
  const layers = sizeOf(config, "layers") ?? 0
  const pattern = textAt(config, "hybrid_override_pattern")
  if (pattern !== undefined) {
    const count = (letter: string) => pattern.split(letter).length - 1
    return { expert: count("E"), mamba: count("M"), attention: count("*"), mlp: count("-") }
  }
  const numbers = Array.from({ length: Math.min(layers, 10_000) }, (_, index) => index)
  const attention = numbers.filter((index) => isAttention(config, index)).length
  const isStateSpace = sizeOf(config, "stateSize") !== undefined || hasLinearAttention(config)
  return {
    expert: sizeOf(config, "experts") === undefined ? 0 : numbers.filter((index) => hasExperts(config, index)).length,
    mamba: isStateSpace ? layers - attention : 0,
    attention: isStateSpace ? attention : layers,
    mlp: 0,
  }
}

/** The types of layers that keep keys and values. */
const ATTENTION = /^(?!linear).*(attention|hybrid)/

/** Returns whether the config describes layers with linear attention: Qwen3-Next, MiniMax-01 and Kimi Linear. */
function hasLinearAttention(config: JsonObject): boolean {
  return (
    textsOf(config, "layer_types")?.includes("linear_attention") === true ||
    numberAt(config, "full_attention_interval") !== undefined ||
    Array.isArray(valueAt(config, "attn_type_list")) ||
    Array.isArray(valueAt(config, "linear_attn_config.full_attn_layers"))
  )
}

function isAttention(config: JsonObject, index: number): boolean {
  const types = textsOf(config, "layers_block_type") ?? textsOf(config, "layer_types")
  if (types !== undefined) return ATTENTION.test(types[index] ?? "")
  const interval = numberAt(config, "full_attention_interval")
  if (interval !== undefined) return (index + 1) % interval === 0
  const kinds = valueAt(config, "attn_type_list")
  if (Array.isArray(kinds)) return kinds[index] === 1
  const full = valueAt(config, "linear_attn_config.full_attn_layers")
  if (Array.isArray(full)) return full.includes(index + 1)
  const indices = valueAt(config, "attn_layer_indices") ?? valueAt(config, "hybrid_layer_ids")
  if (Array.isArray(indices)) return indices.includes(index)
  const period = numberAt(config, "attn_layer_period")
  return period !== undefined && index % period === (numberAt(config, "attn_layer_offset") ?? 0)
}

function hasExperts(config: JsonObject, index: number): boolean {
  const named = valueAt(config, "moe_layers")
  if (Array.isArray(named)) return named.includes(index)
  const dense = valueAt(config, "mlp_only_layers")
  if (Array.isArray(dense) && dense.includes(index)) return false
  const period = numberAt(config, "expert_layer_period")
  if (period !== undefined) return index % period === (numberAt(config, "expert_layer_offset") ?? 0)
  const frequencies = valueAt(config, "moe_layer_freq")
  if (Array.isArray(frequencies)) return Boolean(frequencies[index])
  if (index < (numberAt(config, "first_k_dense_replace") ?? numberAt(config, "moe_layer_start_index") ?? 0))
    return false
  const step = numberAt(config, "decoder_sparse_step") ?? numberAt(config, "interleave_moe_layer_step")
  if (step !== undefined) return step > 0 && (index + 1) % step === 0
  return typeof frequencies !== "number" || index % frequencies === 0
}

import { denseMlp } from "./decoder-layout.ts"
import type { TestTensor } from "./safetensors-file.ts"

/** Sizes of a DeepSeek model, as in its config. */
export interface DeepseekConfig {
  readonly num_hidden_layers: number
  readonly hidden_size: number
  readonly num_attention_heads: number
  readonly q_lora_rank: number | null
  readonly kv_lora_rank: number
  readonly qk_nope_head_dim: number
  readonly qk_rope_head_dim: number
  readonly v_head_dim: number
  readonly intermediate_size: number
  readonly moe_intermediate_size: number
  readonly n_routed_experts: number
  readonly n_shared_experts: number
  readonly first_k_dense_replace: number
  readonly vocab_size: number
  readonly num_nextn_predict_layers?: number
}

type Shapes = readonly (readonly [name: string, shape: readonly number[]])[]

/**
 * Returns the tensors of DeepSeek-V2 in bfloat16. With `isFp8`, those of DeepSeek-V3 in 8 bits, with a scale per block.
 */
export function deepseekTensors(config: DeepseekConfig, isFp8 = false): readonly TestTensor[] {
  const { hidden_size: hidden, vocab_size: vocabulary, num_nextn_predict_layers: drafts = 0 } = config
  const layers = Array.from({ length: config.num_hidden_layers + drafts }, (_, layer) =>
    layerTensors(config, layer, isFp8),
  )
  return [
    ["model.embed_tokens.weight", "BF16", [vocabulary, hidden]],
    ...layers.flat(),
    ["model.norm.weight", "BF16", [hidden]],
    ["lm_head.weight", "BF16", [vocabulary, hidden]],
  ]
}

function layerTensors(config: DeepseekConfig, layer: number, isFp8: boolean): readonly TestTensor[] {
  const { hidden_size: hidden, num_hidden_layers: layers } = config
  const at = `model.layers.${layer}`
  const isDraft = layer >= layers
  const matrices = [...attention(config), ...mlp(config, layer)].flatMap(([name, shape]) =>
    matrix(`${at}.${name}`, shape, isFp8),
  )
  const norms: Shapes = [
    ["input_layernorm", [hidden]],
    ["post_attention_layernorm", [hidden]],
    ["self_attn.kv_a_layernorm", [config.kv_lora_rank]],
    ...(config.q_lora_rank === null ? [] : [["self_attn.q_a_layernorm", [config.q_lora_rank]] as const]),
  ]
  const draft: Shapes = [
    ["embed_tokens", [config.vocab_size, hidden]],
    ["shared_head.head", [config.vocab_size, hidden]],
    ["shared_head.norm", [hidden]],
    ["enorm", [hidden]],
    ["hnorm", [hidden]],
    ["eh_proj", [hidden, 2 * hidden]],
  ]
  const plain = [...norms, ...(isDraft ? draft : [])].map(([name, shape]): TestTensor => [
    `${at}.${name}.weight`,
    "BF16",
    shape,
  ])
  const gate: TestTensor[] =
    layer < config.first_k_dense_replace ? [] : [[`${at}.mlp.gate.weight`, "BF16", [config.n_routed_experts, hidden]]]
  const bias: TestTensor[] =
    isFp8 && gate.length > 0 ? [[`${at}.mlp.gate.e_score_correction_bias`, "F32", [config.n_routed_experts]]] : []
  return [...matrices, ...plain, ...gate, ...bias]
}

function attention(config: DeepseekConfig): Shapes {
  const { hidden_size: hidden, num_attention_heads: heads, q_lora_rank: rank, kv_lora_rank: kvRank } = config
  const query = heads * (config.qk_nope_head_dim + config.qk_rope_head_dim)
  return [
    ...(rank === null
      ? ([["self_attn.q_proj", [query, hidden]]] as const)
      : ([
          ["self_attn.q_a_proj", [rank, hidden]],
          ["self_attn.q_b_proj", [query, rank]],
        ] as const)),
    ["self_attn.kv_a_proj_with_mqa", [kvRank + config.qk_rope_head_dim, hidden]],
    ["self_attn.kv_b_proj", [heads * (config.qk_nope_head_dim + config.v_head_dim), kvRank]],
    ["self_attn.o_proj", [hidden, heads * config.v_head_dim]],
  ]
}

function mlp(config: DeepseekConfig, layer: number): Shapes {
  const { hidden_size: hidden, moe_intermediate_size: inner, n_shared_experts: shared } = config
  if (layer < config.first_k_dense_replace) return denseMlp(hidden, config.intermediate_size)
  return [
    ...Array.from({ length: config.n_routed_experts }, (_, expert) =>
      denseMlp(hidden, inner, `mlp.experts.${expert}`),
    ).flat(),
    ...denseMlp(hidden, shared * inner, "mlp.shared_experts"),
  ]
}

function matrix(name: string, shape: readonly number[], isFp8: boolean): readonly TestTensor[] {
  if (!isFp8) return [[`${name}.weight`, "BF16", shape]]
  const blocks = shape.map((size) => Math.ceil(size / 128))
  return [
    [`${name}.weight`, "F8_E4M3", shape],
    [`${name}.weight_scale_inv`, "F32", blocks],
  ]
}

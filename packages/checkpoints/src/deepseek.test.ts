import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "./testing/checkpoint-folder.ts"
import { deepseekTensors, type DeepseekConfig } from "./testing/deepseek-layout.ts"
import { analyzeCheckpoint } from "./analyze-checkpoint.ts"

const v2Lite: DeepseekConfig = {
  num_hidden_layers: 27,
  hidden_size: 2048,
  num_attention_heads: 16,
  q_lora_rank: null,
  kv_lora_rank: 512,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
  intermediate_size: 10944,
  moe_intermediate_size: 1408,
  n_routed_experts: 64,
  n_shared_experts: 2,
  first_k_dense_replace: 1,
  vocab_size: 102400,
}
const v3: DeepseekConfig = {
  num_hidden_layers: 61,
  hidden_size: 7168,
  num_attention_heads: 128,
  q_lora_rank: 1536,
  kv_lora_rank: 512,
  qk_nope_head_dim: 128,
  qk_rope_head_dim: 64,
  v_head_dim: 128,
  intermediate_size: 18432,
  moe_intermediate_size: 2048,
  n_routed_experts: 256,
  n_shared_experts: 1,
  first_k_dense_replace: 3,
  vocab_size: 129280,
  num_nextn_predict_layers: 1,
}

/** Returns the parameters of a layer without its MLP: latent attention and four norms. */
function attentionOf(config: DeepseekConfig): number {
  const { hidden_size: hidden, num_attention_heads: heads, q_lora_rank: rank, kv_lora_rank: kvRank } = config
  const head = config.qk_nope_head_dim + config.qk_rope_head_dim
  const query = rank === null ? hidden * heads * head : hidden * rank + rank * heads * head + rank
  const keys = hidden * (kvRank + config.qk_rope_head_dim) + kvRank
  const unfolded = kvRank * heads * (config.qk_nope_head_dim + config.v_head_dim)
  return query + keys + unfolded + heads * config.v_head_dim * hidden + 2 * hidden
}

function expertsOf(config: DeepseekConfig): number {
  const { hidden_size: hidden, moe_intermediate_size: inner, n_routed_experts: experts } = config
  return (experts + config.n_shared_experts) * 3 * hidden * inner + experts * hidden
}

function parametersOf(config: DeepseekConfig): number {
  const { hidden_size: hidden, num_hidden_layers: layers, first_k_dense_replace: dense } = config
  const mlps = dense * 3 * hidden * config.intermediate_size + (layers - dense) * expertsOf(config)
  return 2 * config.vocab_size * hidden + layers * attentionOf(config) + mlps + hidden
}

describe("the description of DeepSeek models", () => {
  it("counts the layers with experts after a first dense layer", async () => {
    const config = {
      ...v2Lite,
      model_type: "deepseek_v2",
      architectures: ["DeepseekV2ForCausalLM"],
      num_key_value_heads: 16,
    }
    const { storage } = await makeCheckpoint({
      files: { "config.json": config },
      tensors: deepseekTensors(v2Lite),
      shards: 4,
    })
    const { spec, warnings } = await analyzeCheckpoint({ storage })
    expect(parametersOf(v2Lite)).toBe(15_706_484_224)
    expect(spec).toMatchObject({
      base_num_parameters: 15_706_484_224,
      num_layers: 27,
      num_kv_heads: 16,
      ffn_hidden_size: 10944,
      moe_config: { num_experts: 64, num_expert_layers: 26, expert_ffn_size: 1408, num_shared_experts: 2 },
    })
    expect(warnings).toEqual([])
    const { storage: opaque } = await makeCheckpoint({
      files: { "config.json": config, "pytorch_model.bin": "weights" },
    })
    expect((await analyzeCheckpoint({ storage: opaque })).spec.base_num_parameters).toBe(15_706_484_224)
  })

  it("counts 8-bit weights without their scales, and lists the drafting layer separately", async () => {
    const config = {
      ...v3,
      model_type: "deepseek_v3",
      architectures: ["DeepseekV3ForCausalLM"],
      num_key_value_heads: 128,
      num_experts_per_tok: 8,
      max_position_embeddings: 163840,
      rope_scaling: { type: "yarn", factor: 40, original_max_position_embeddings: 4096 },
      quantization_config: { quant_method: "fp8", fmt: "e4m3", weight_block_size: [128, 128] },
    }
    const tensors = deepseekTensors(v3, true)
    const { storage } = await makeCheckpoint({ files: { "config.json": config }, tensors, shards: 163 })
    const { spec, warnings } = await analyzeCheckpoint({ storage })
    const corrections = 58 * 256
    expect(parametersOf(v3) + corrections).toBe(671_026_419_200)
    expect(spec).toMatchObject({
      base_num_parameters: 671_026_419_200,
      num_layers: 61,
      context_size: 163840,
      precision: "float8_e4m3",
      quantization: { method: "fp8", format: "e4m3", bits: 8, group_size: 128 },
      moe_config: {
        num_experts: 256,
        num_experts_per_tok: 8,
        num_expert_layers: 58,
        expert_ffn_size: 2048,
        num_shared_experts: 1,
      },
    })
    const tables = 2 * v3.vocab_size * v3.hidden_size
    const draft = attentionOf(v3) + expertsOf(v3) + 256 + tables + 3 * v3.hidden_size + 2 * v3.hidden_size ** 2
    // Published as 685 B with the drafting layer, and as 36.7 B active parameters without the input table.
    expect(671_026_419_200 + draft).toBe(684_489_845_504)
    expect(spec).toMatchObject({ active_num_parameters: 37_552_297_472, draft_num_parameters: draft })
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(draft.toLocaleString("en-US"))
  })
})

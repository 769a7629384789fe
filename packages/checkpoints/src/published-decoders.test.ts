import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "./testing/checkpoint-folder.ts"
import { decoderTensors, type DecoderConfig, type DecoderTraits } from "./testing/decoder-layout.ts"
import { mixtralMlp, qwenMlp } from "./testing/mixture-layout.ts"
import { analyzeCheckpoint } from "./analyze-checkpoint.ts"

const llama3: DecoderConfig = {
  num_hidden_layers: 32,
  hidden_size: 4096,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  head_dim: 128,
  intermediate_size: 14336,
  vocab_size: 128256,
  tie_word_embeddings: false,
}
const qwen25: DecoderConfig = {
  num_hidden_layers: 24,
  hidden_size: 896,
  num_attention_heads: 14,
  num_key_value_heads: 2,
  head_dim: 64,
  intermediate_size: 4864,
  vocab_size: 151936,
  tie_word_embeddings: true,
}
const mixtral: DecoderConfig = { ...llama3, vocab_size: 32000 }
const qwen3Moe: DecoderConfig = {
  ...llama3,
  num_hidden_layers: 48,
  hidden_size: 2048,
  num_key_value_heads: 4,
  intermediate_size: 6144,
  vocab_size: 151936,
}

/** Returns the parameters of norms, attention and tables, and of `mlp` parameters per MLP, from only the config. */
function parametersOf(config: DecoderConfig, mlp: number, perLayer = 0): number {
  const { hidden_size: hidden, head_dim: head, num_hidden_layers: layers, vocab_size: vocabulary } = config
  const attention = 2 * hidden * head * (config.num_attention_heads + config.num_key_value_heads)
  const tables = (config.tie_word_embeddings ? 1 : 2) * vocabulary * hidden
  return tables + layers * (attention + mlp + 2 * hidden + perLayer) + hidden
}

const describeDecoder = async (type: string, config: DecoderConfig, more: object, traits: DecoderTraits = {}) => {
  const files = { "config.json": { model_type: type, architectures: [`${type}ForCausalLM`], ...config, ...more } }
  const { storage } = await makeCheckpoint({ files, tensors: decoderTensors(config, traits), shards: 3 })
  return (await analyzeCheckpoint({ storage })).spec
}

describe("the description of published models", () => {
  it("is correct for Llama-3-8B", verifies("models.spec.parameters"), async () => {
    const spec = await describeDecoder("llama", llama3, { max_position_embeddings: 8192 })
    expect(parametersOf(llama3, 3 * 4096 * 14336)).toBe(8_030_261_248)
    expect(spec).toMatchObject({
      checkpoint_model_name: "llamaForCausalLM",
      family: "llama",
      context_size: 8192,
      num_layers: 32,
      hidden_size: 4096,
      num_attention_heads: 32,
      num_kv_heads: 8,
      ffn_hidden_size: 14336,
      vocab_size: 128256,
      tied_embeddings: false,
      gated_mlp: true,
      precision: "bfloat16",
      quantization: null,
      moe_config: null,
      mamba_config: null,
      sliding_window_config: null,
      base_num_parameters: 8_030_261_248,
      parameters_estimated: false,
      weights_bytes: 2 * 8_030_261_248,
      num_virtual_tokens: 0,
    })
    expect(spec.linear_layers).toContainEqual({
      name: "model.layers.*.self_attn.k_proj",
      in_features: 4096,
      out_features: 1024,
      count: 32,
    })
    expect(spec.linear_layers.map(({ name }) => name)).not.toContain("model.embed_tokens")
  })

  it("is correct for Qwen2.5-0.5B, whose head is its embedding table", async () => {
    const window = { use_sliding_window: false, sliding_window: 32768 }
    const spec = await describeDecoder("qwen2", qwen25, window, { qkvBias: true })
    expect(parametersOf(qwen25, 3 * 896 * 4864, 64 * (14 + 2 * 2))).toBe(494_032_768)
    expect(spec).toMatchObject({
      base_num_parameters: 494_032_768,
      tied_embeddings: true,
      sliding_window_config: null,
      active_num_parameters: null,
      minimum_gpus_all_weights: 1,
      minimum_gpus_lora: 1,
    })
  })

  it("counts a head once if it is stored beside the table that it is tied to", async () => {
    const stored = { ...qwen25, tie_word_embeddings: false }
    const spec = await describeDecoder("qwen2", stored, { tie_word_embeddings: true }, { qkvBias: true })
    expect(spec).toMatchObject({ base_num_parameters: 494_032_768, tied_embeddings: true })
  })

  it("is correct for Mixtral-8x7B", async () => {
    const sizes = { num_local_experts: 8, num_experts_per_tok: 2, sliding_window: null }
    const spec = await describeDecoder("mixtral", mixtral, sizes, { mlp: mixtralMlp(4096, 14336, 8) })
    expect(parametersOf(mixtral, 8 * 3 * 4096 * 14336 + 8 * 4096)).toBe(46_702_792_704)
    expect(spec).toMatchObject({
      base_num_parameters: 46_702_792_704,
      // Published as 12.9 B.
      active_num_parameters: 46_702_792_704 - 32 * 6 * 3 * 4096 * 14336,
      draft_num_parameters: 0,
      gated_mlp: true,
      moe_config: {
        num_experts: 8,
        num_experts_per_tok: 2,
        num_expert_layers: 32,
        expert_ffn_size: 14336,
        num_shared_experts: 0,
      },
    })
    const { storage } = await makeCheckpoint({
      files: { "config.json": { model_type: "mixtral", ...mixtral, ...sizes }, "pytorch_model.bin": "weights" },
    })
    const estimated = await analyzeCheckpoint({ storage })
    expect(estimated.spec).toMatchObject({ base_num_parameters: 46_702_792_704, parameters_estimated: true })
    expect(estimated.spec).toMatchObject({ active_num_parameters: 12_879_925_248, draft_num_parameters: null })
    expect(spec.linear_layers).toContainEqual({
      name: "model.layers.*.block_sparse_moe.experts.*.w1",
      in_features: 4096,
      out_features: 14336,
      count: 32 * 8,
    })
  })

  it("is correct for Qwen3-30B-A3B", async () => {
    const sizes = { num_experts: 128, num_experts_per_tok: 8, moe_intermediate_size: 768, decoder_sparse_step: 1 }
    const spec = await describeDecoder("qwen3_moe", qwen3Moe, sizes, { qkNorm: true, mlp: qwenMlp(2048, 768, 128) })
    expect(parametersOf(qwen3Moe, 128 * 3 * 2048 * 768 + 128 * 2048, 2 * 128)).toBe(30_532_122_624)
    expect(spec).toMatchObject({ base_num_parameters: 30_532_122_624, ffn_hidden_size: 6144 })
    // Published as 3.3 B.
    expect(spec.active_num_parameters).toBe(30_532_122_624 - 48 * 120 * 3 * 2048 * 768)
    expect(spec.moe_config).toMatchObject({ num_experts: 128, num_expert_layers: 48, expert_ffn_size: 768 })
  })
})

import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "./testing/checkpoint-folder.ts"
import { decoderTensors, denseMlp, type DecoderConfig } from "./testing/decoder-layout.ts"
import type { TestTensor } from "./testing/safetensors-file.ts"
import { mambaBlock, mambaTensors } from "./testing/state-space-layout.ts"
import { analyzeCheckpoint } from "./analyze-checkpoint.ts"

const mamba130m = { hidden: 768, inner: 1536, state: 16, conv: 4, step: 48 }

const jamba: DecoderConfig = {
  num_hidden_layers: 32,
  hidden_size: 4096,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  head_dim: 128,
  intermediate_size: 14336,
  vocab_size: 65536,
  tie_word_embeddings: false,
}
const jambaMamba = { hidden: 4096, inner: 8192, state: 16, conv: 4, step: 256 }
const jambaConfig = {
  ...jamba,
  model_type: "jamba",
  architectures: ["JambaForCausalLM"],
  num_experts: 16,
  num_experts_per_tok: 2,
  expert_layer_period: 2,
  expert_layer_offset: 1,
  attn_layer_period: 8,
  attn_layer_offset: 4,
  mamba_d_state: 16,
  mamba_d_conv: 4,
}

/** Returns a model with attention in every eighth layer, Mamba in the others, and 16 experts in every second layer. */
function jambaTensors(): readonly TestTensor[] {
  const experts = Array.from({ length: 16 }, (_, expert) =>
    denseMlp(4096, 14336, `feed_forward.experts.${expert}`),
  ).flat()
  const mlp = (layer: number) =>
    layer % 2 === 1 ? [["feed_forward.router", [16, 4096]] as const, ...experts] : denseMlp(4096, 14336, "feed_forward")
  const hasAttention = (name: string) => Number(/layers\.(\d+)\./.exec(name)?.[1]) % 8 === 4
  const attentive = decoderTensors(jamba, { mlp }).filter(([name]) => !name.includes("self_attn") || hasAttention(name))
  const stateful = Array.from({ length: 32 }, (_, layer) => `model.layers.${layer}.mamba`)
    .filter((at) => !hasAttention(`${at}.`))
    .flatMap((at): readonly TestTensor[] => [
      ...mambaBlock(at, jambaMamba, "BF16"),
      [`${at}.dt_layernorm.weight`, "BF16", [256]],
      [`${at}.b_layernorm.weight`, "BF16", [16]],
      [`${at}.c_layernorm.weight`, "BF16", [16]],
    ])
  return [...attentive, ...stateful]
}

describe("the description of state-space models", () => {
  it("is correct for Mamba-130m", async () => {
    const config = {
      model_type: "mamba",
      architectures: ["MambaForCausalLM"],
      num_hidden_layers: 24,
      hidden_size: 768,
      state_size: 16,
      conv_kernel: 4,
      vocab_size: 50280,
    }
    const tensors = mambaTensors(24, 50280, mamba130m)
    const { storage } = await makeCheckpoint({ files: { "config.json": config }, tensors })
    const { spec, warnings } = await analyzeCheckpoint({ storage })
    const block = 768 * 3072 + 1536 * 5 + 1536 * 80 + 49 * 1536 + 1536 * 17 + 1536 * 768 + 768
    expect(50280 * 768 + 24 * block + 768).toBe(129_135_360)
    expect(spec).toMatchObject({
      base_num_parameters: 129_135_360,
      tied_embeddings: true,
      num_attention_heads: null,
      num_kv_heads: null,
      ffn_hidden_size: null,
      context_size: null,
      precision: "float32",
      mamba_config: {
        is_hybrid: false,
        num_mamba_layers: 24,
        num_attention_layers: 0,
        num_mlp_layers: 0,
        state_size: 16,
        conv_kernel: 4,
      },
    })
    expect(warnings).toEqual([])
  })

  it("is correct for Jamba, a hybrid with experts in every second layer", async () => {
    const { storage } = await makeCheckpoint({
      files: { "config.json": jambaConfig },
      tensors: jambaTensors(),
      shards: 5,
    })
    const { spec } = await analyzeCheckpoint({ storage })
    const block = 4096 * 16384 + 8192 * 5 + 8192 * 288 + 257 * 8192 + 8192 * 17 + 8192 * 4096 + 288
    const attention = 2 * 4096 * (4096 + 1024)
    const mlp = 3 * 4096 * 14336
    const layers = 28 * block + 4 * attention + 16 * mlp + 16 * (16 * mlp + 16 * 4096) + 32 * 8192
    expect(2 * 65536 * 4096 + layers + 4096).toBe(51_570_323_328)
    expect(spec).toMatchObject({
      base_num_parameters: 51_570_323_328,
      mamba_config: { is_hybrid: true, num_mamba_layers: 28, num_attention_layers: 4, num_mlp_layers: 0 },
      moe_config: { num_experts: 16, num_experts_per_tok: 2, num_expert_layers: 16, expert_ffn_size: 14336 },
    })
  })

  it("takes the kinds of layers from the config if no header can be read", async () => {
    const files = { "config.json": jambaConfig, "pytorch_model.bin": "weights" }
    const { storage } = await makeCheckpoint({ files })
    const { spec } = await analyzeCheckpoint({ storage })
    expect(spec.parameters_estimated).toBe(true)
    expect(spec.mamba_config).toMatchObject({ is_hybrid: true, num_mamba_layers: 28, num_attention_layers: 4 })
    expect(spec.moe_config).toMatchObject({ num_expert_layers: 16 })
    expect(spec.base_num_parameters).toBeGreaterThan(0.99 * 51_570_323_328)
    expect(spec.base_num_parameters).toBeLessThan(1.01 * 51_570_323_328)
  })

  it("counts layers with only an MLP", async () => {
    const config = {
      model_type: "nemotron_h",
      architectures: ["NemotronHForCausalLM"],
      hybrid_override_pattern: "M-*E",
      num_hidden_layers: 4,
      hidden_size: 64,
      num_attention_heads: 4,
      vocab_size: 128,
      ssm_state_size: 128,
      conv_kernel: 4,
      n_routed_experts: 2,
      time_step_limit: [0, 1],
    }
    const at = "backbone.layers"
    const tensors: readonly TestTensor[] = [
      ["backbone.embeddings.weight", "BF16", [128, 64]],
      ...mambaBlock(`${at}.0.mixer`, { hidden: 64, inner: 128, state: 16, conv: 4, step: 4 }, "BF16"),
      [`${at}.1.mixer.up_proj.weight`, "BF16", [256, 64]],
      [`${at}.1.mixer.down_proj.weight`, "BF16", [64, 256]],
      [`${at}.2.mixer.q_proj.weight`, "BF16", [64, 64]],
      [`${at}.3.mixer.experts.0.up_proj.weight`, "BF16", [256, 64]],
      [`${at}.3.mixer.experts.1.up_proj.weight`, "BF16", [256, 64]],
      ["lm_head.weight", "BF16", [128, 64]],
    ]
    // As Python writes a config of this family.
    const text = JSON.stringify(config).replace('"time_step_limit":[0,1]', '"time_step_limit":[0.0,Infinity]')
    const { storage } = await makeCheckpoint({ files: { "config.json": text }, tensors })
    const { spec } = await analyzeCheckpoint({ storage })
    expect(spec.gated_mlp).toBe(false)
    expect(spec.mamba_config).toMatchObject({ num_mamba_layers: 1, num_attention_layers: 1, num_mlp_layers: 1 })
    expect(spec.moe_config).toMatchObject({ num_expert_layers: 1 })
  })
})

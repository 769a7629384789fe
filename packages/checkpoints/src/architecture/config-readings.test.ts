import { describe, expect, it } from "vitest"
import { contextSize, kvHeads, slidingWindow } from "../describe/describe-dimensions.ts"
import { minimumGpus } from "../describe/gpu-count.ts"
import { layerKinds } from "./layer-kinds.ts"
import { quantizationOf } from "./quantization-of.ts"

describe("the context size", () => {
  it.each([
    [{ max_position_embeddings: 8192 }, 8192],
    [{ n_positions: 1024 }, 1024],
    [{ max_position_embeddings: 131072, rope_scaling: { rope_type: "llama3", factor: 8 } }, 131072],
    [{ max_position_embeddings: 4096, rope_scaling: { type: "linear", factor: 4 } }, 16384],
    [
      {
        max_position_embeddings: 32768,
        rope_scaling: { type: "yarn", factor: 4, original_max_position_embeddings: 32768 },
      },
      131072,
    ],
    [
      {
        max_position_embeddings: 163840,
        rope_parameters: { rope_type: "yarn", factor: 40, original_max_position_embeddings: 4096 },
      },
      163840,
    ],
    [{ max_position_embeddings: 4096, rope_scaling: null }, 4096],
  ])("for %j is %d", (config, size) => {
    expect(contextSize(config, null, undefined)).toBe(size)
  })

  it("is the tokenizer's if the config has none, unless that is unlimited", () => {
    expect(contextSize({}, { model_max_length: 2048 }, undefined)).toBe(2048)
    expect(contextSize({}, { model_max_length: 1e30 }, undefined)).toBeNull()
    expect(contextSize({}, null, undefined)).toBeNull()
  })
})

describe("the number of key and value heads", () => {
  it.each([
    [{}, 32],
    [{ num_key_value_heads: 8 }, 8],
    [{ multi_query: true }, 1],
    [{ multi_query: true, new_decoder_architecture: true, num_kv_heads: 8 }, 8],
    [{ multi_query: false, new_decoder_architecture: false, num_kv_heads: 71 }, 32],
    [{ attn_config: { kv_n_heads: 4 } }, 4],
    [{ num_key_value_heads: [0, 8, 4] }, 8],
  ])("for 32 heads and %j is %d", (config, heads) => {
    expect(kvHeads(config, 32)).toBe(heads)
  })
})

describe("the sliding window", () => {
  it.each([
    [{ sliding_window: 4096 }, 4096],
    [{ sliding_window: null }, null],
    [{ sliding_window: 4096, use_sliding_window: false }, null],
    [{ sliding_window: 4096, use_sliding_window: true, max_window_layers: 28, num_hidden_layers: 28 }, null],
    [{ sliding_window: 4096, use_sliding_window: true, max_window_layers: 21, num_hidden_layers: 28 }, 4096],
    [{ sliding_window: 512, layer_types: ["full_attention", "sliding_attention"] }, 512],
    [{ sliding_window: 512, layer_types: ["full_attention"] }, null],
  ])("for %j is %s", (config, size) => {
    expect(slidingWindow(config)).toEqual(size === null ? null : { window_size: size })
  })
})

describe("the kinds of layers", () => {
  it.each([
    [{ num_hidden_layers: 4 }, { expert: 0, mamba: 0, attention: 4, mlp: 0 }],
    [{ num_hidden_layers: 4, num_experts: 8, decoder_sparse_step: 2 }, { expert: 2 }],
    [{ num_hidden_layers: 4, num_experts: 8, decoder_sparse_step: 1, mlp_only_layers: [0] }, { expert: 3 }],
    [{ num_hidden_layers: 4, n_routed_experts: 8, first_k_dense_replace: 1, moe_layer_freq: 1 }, { expert: 3 }],
    [{ num_hidden_layers: 4, num_local_experts: 8, moe_layer_freq: [0, 1, 1, 1] }, { expert: 3 }],
    [{ num_hidden_layers: 4, num_local_experts: 8, moe_layers: [1, 3] }, { expert: 2 }],
    [
      { num_hidden_layers: 4, state_size: 16 },
      { mamba: 4, attention: 0 },
    ],
    [
      { num_hidden_layers: 4, mamba_d_state: 16, attn_layer_indices: [1] },
      { mamba: 3, attention: 1 },
    ],
    [
      { num_hidden_layers: 3, mamba_d_state: 16, layers_block_type: ["mamba", "attention", "mamba"] },
      { mamba: 2, attention: 1 },
    ],
    [
      { num_hidden_layers: 4, layer_types: ["linear_attention", "linear_attention", "full_attention"] },
      { mamba: 3, attention: 1 },
    ],
    [
      { num_hidden_layers: 48, linear_key_head_dim: 128, full_attention_interval: 4 },
      { mamba: 36, attention: 12 },
    ],
    [
      { num_hidden_layers: 3, attn_type_list: [0, 0, 1] },
      { mamba: 2, attention: 1 },
    ],
    [
      { num_hidden_layers: 4, linear_attn_config: { full_attn_layers: [4], kda_layers: [1, 2, 3] } },
      { mamba: 3, attention: 1 },
    ],
    [
      { num_hidden_layers: 2, layer_types: ["sliding_attention", "full_attention"] },
      { mamba: 0, attention: 2 },
    ],
    [{ hybrid_override_pattern: "MM-*E" }, { expert: 1, mamba: 2, attention: 1, mlp: 1 }],
  ])("for %j are %j", (config, kinds) => {
    expect(layerKinds(config)).toMatchObject(kinds)
  })
})

describe("the quantization", () => {
  it.each([
    [
      { quant_method: "gptq", bits: 4, group_size: -1 },
      { method: "gptq", format: null, bits: 4, group_size: null },
    ],
    [{ quant_method: "mxfp4" }, { method: "mxfp4", format: null, bits: 4, group_size: 32 }],
    [{ quant_method: "fbgemm_fp8" }, { method: "fbgemm_fp8", format: null, bits: 8, group_size: null }],
    [{ quant_method: "bitnet" }, { method: "bitnet", format: null, bits: 2, group_size: null }],
    [
      { quant_method: "other", bits: 3 },
      { method: "other", format: null, bits: 3, group_size: null },
    ],
    [
      { quant_method: "modelopt", quant_algo: "FP8" },
      { method: "modelopt", format: "fp8", bits: 8, group_size: null },
    ],
  ])("for %j is read", (quantization_config, quantization) => {
    expect(quantizationOf({ quantization_config }, null)).toEqual(quantization)
  })

  it("is read from files of tools that do not name their method", () => {
    expect(quantizationOf({}, { w_bit: 4, q_group_size: 128, version: "GEMM" })).toMatchObject({
      method: "awq",
      bits: 4,
      group_size: 128,
    })
    expect(quantizationOf({}, { bits: 4, group_size: 32, desc_act: true })).toMatchObject({
      method: "gptq",
      group_size: 32,
    })
    expect(quantizationOf({}, { quantization: { quant_algo: null } })).toBeNull()
    expect(quantizationOf({}, null)).toBeNull()
  })
})

describe("the minimum number of GPUs for training", () => {
  const size = { frozenBytes: 0, linearLayers: [], layers: 32, hidden: 4096, vocabulary: 128256, context: 8192 }

  it("is a power of two, with sixteen bytes of state per parameter and the activations of each GPU", () => {
    // 4096 tokens with 2·4096·32 + 34·4096 + 6·128256 bytes each are 4.8 GB of the usable 68 GB.
    expect(minimumGpus({ ...size, parameters: 3.94e9 }).allWeights).toBe(1)
    expect(minimumGpus({ ...size, parameters: 3.96e9 }).allWeights).toBe(2)
    expect(minimumGpus({ ...size, parameters: 8e9 }).allWeights).toBe(4)
    expect(minimumGpus({ ...size, parameters: 1e14 }).allWeights).toBeNull()
  })

  it("is smaller if only adapters are trained", () => {
    const linearLayers = [{ name: "a", in_features: 4096, out_features: 4096, count: 224 }]
    expect(minimumGpus({ ...size, parameters: 70e9, frozenBytes: 140e9, linearLayers }).lora).toBe(4)
    expect(minimumGpus({ ...size, parameters: 70e9, frozenBytes: 35e9, linearLayers }).lora).toBe(1)
    const many = [{ name: "a", in_features: 4096, out_features: 4096, count: 4_000 }]
    expect(minimumGpus({ ...size, parameters: 70e9, frozenBytes: 55e9, linearLayers: many }).lora).toBe(2)
  })
})

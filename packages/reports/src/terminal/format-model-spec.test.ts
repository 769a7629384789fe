import { describeLayout, formatModelSpec, formatParameters } from "./format-model-spec.ts"
import { describe, expect, it } from "vitest"
import type { ModelSpec } from "@assay/schemas"

describe("the number of parameters", () => {
  it.each([
    [8_030_261_248, "8,030,261,248 (8.03 B)"],
    [671_026_404_352, "671,026,404,352 (671 B)"],
    [999_999_999, "999,999,999 (1 B)"],
    [999, "999"],
    [0, "0"],
    [null, "unknown"],
  ])("%d is written as %s", (count, text) =>
    expect(formatParameters({ base_num_parameters: count, parameters_estimated: false })).toBe(text),
  )

  it("is marked if it is estimated", () =>
    expect(formatParameters({ base_num_parameters: 7e9, parameters_estimated: true })).toBe(
      "7,000,000,000 (7 B), estimated from the config",
    ))
})

describe("the layout of a model", () => {
  it("is preceded by the parameters that process a token, and by those that only draft tokens", () => {
    const counts = { base_num_parameters: 671e9, active_num_parameters: 37e9, draft_num_parameters: 13.5e9 }
    const spec = { ...plain, ...counts, chat_template: null, tool_call_config: null, weights_bytes: 0 }
    expect(formatModelSpec(spec, []).split("\n").slice(1, 4)).toEqual([
      "parameters         671,000,000,000 (671 B)",
      "active parameters  37,000,000,000 (37 B)",
      "drafting layers    13,500,000,000 (13.5 B) parameters more",
    ])
    const dense = { ...spec, active_num_parameters: null, draft_num_parameters: 0 }
    expect(formatModelSpec(dense, [])).not.toMatch(/active|drafting/)
  })

  const plain = {
    context_size: null,
    num_layers: 32,
    hidden_size: 4096,
    num_attention_heads: 32,
    num_kv_heads: 32,
    ffn_hidden_size: 14_336,
    gated_mlp: true,
    vocab_size: 32_000,
    tied_embeddings: false,
    quantization: null,
    moe_config: null,
    mamba_config: null,
    sliding_window_config: null,
    num_virtual_tokens: 0,
  } as Partial<ModelSpec> as ModelSpec

  it("has no line for parts that the model does not have", () =>
    expect(describeLayout(plain)).toEqual({
      context: "unknown",
      layers: "32",
      "hidden size": "4,096",
      "attention heads": "32",
      "feed-forward size": "14,336, gated",
      vocabulary: "32,000",
    }))

  it("describes quantization, experts, state space and window", () => {
    const layout = describeLayout({
      ...plain,
      quantization: { method: "awq", format: null, bits: 4, group_size: 128 },
      moe_config: {
        num_experts: 256,
        num_experts_per_tok: 8,
        num_expert_layers: 58,
        expert_ffn_size: 2048,
        num_shared_experts: 1,
      },
      mamba_config: {
        is_hybrid: true,
        num_mamba_layers: 24,
        num_attention_layers: 4,
        num_mlp_layers: 0,
        state_size: 128,
        conv_kernel: 4,
      },
      sliding_window_config: { window_size: 4096 },
    })
    expect(layout).toMatchObject({
      quantization: "awq, 4 bits, groups of 128",
      experts: "256 in each of 58 layers, 8 per token, 1 shared, feed-forward size 2,048",
      "state space": "24 layers, 4 with attention, state of 128",
      "sliding window": "4,096 tokens",
    })
  })
})

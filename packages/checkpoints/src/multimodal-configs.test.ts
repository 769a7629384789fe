import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "./testing/checkpoint-folder.ts"
import { analyzeCheckpoint } from "./analyze-checkpoint.ts"

async function specOf(config: object) {
  const { storage } = await makeCheckpoint({ files: { "config.json": config, "pytorch_model.bin": "weights" } })
  return (await analyzeCheckpoint({ storage })).spec
}

const gemma3 = { model_type: "gemma3", architectures: ["Gemma3ForConditionalGeneration"] }

describe("the text model in the config of a multimodal model", () => {
  it("has the defaults of its class for the values that the config omits, as Gemma 3 4B", async () => {
    const text_config = {
      model_type: "gemma3_text",
      hidden_size: 2560,
      intermediate_size: 10240,
      num_hidden_layers: 34,
      rope_scaling: { factor: 8, rope_type: "linear" },
      sliding_window: 1024,
    }
    expect(await specOf({ ...gemma3, text_config })).toMatchObject({
      context_size: 131072,
      num_layers: 34,
      hidden_size: 2560,
      num_attention_heads: 8,
      num_kv_heads: 4,
      vocab_size: 262208,
      sliding_window_config: { window_size: 1024 },
    })
  })

  it("keeps the values that the config states, as Gemma 3 27B and LLaVA 1.5", async () => {
    const text_config = { model_type: "gemma3_text", num_attention_heads: 32, num_key_value_heads: 16 }
    expect(await specOf({ ...gemma3, text_config })).toMatchObject({ num_attention_heads: 32, num_kv_heads: 16 })
    const llava = { model_type: "llama", max_position_embeddings: 4096, vocab_size: 32064 }
    const config = { model_type: "llava", architectures: ["LlavaForConditionalGeneration"], text_config: llava }
    expect(await specOf(config)).toMatchObject({
      context_size: 4096,
      num_layers: 32,
      num_attention_heads: 32,
      num_kv_heads: 32,
      vocab_size: 32064,
    })
  })
})

describe("a hybrid of linear and full attention", () => {
  const config = {
    model_type: "qwen3_next",
    architectures: ["Qwen3NextForCausalLM"],
    num_hidden_layers: 48,
    hidden_size: 2048,
    num_attention_heads: 16,
    num_key_value_heads: 2,
    full_attention_interval: 4,
    linear_conv_kernel_dim: 4,
    linear_key_head_dim: 128,
    vocab_size: 151936,
  }

  it("has a cache of keys and values in the layers with full attention only, as Qwen3-Next", async () => {
    expect((await specOf(config)).mamba_config).toEqual({
      is_hybrid: true,
      num_mamba_layers: 36,
      num_attention_layers: 12,
      num_mlp_layers: 0,
      state_size: 128,
      conv_kernel: 4,
    })
  })

  it("is recognised by its weights as well", async () => {
    const tensors = [0, 1, 2, 3].map((layer) => {
      const name = layer === 3 ? "self_attn.q_proj.weight" : "linear_attn.A_log"
      return [`model.layers.${layer}.${name}`, "BF16", [32, 32]] as const
    })
    const files = { "config.json": { ...config, num_hidden_layers: 4 } }
    const { storage } = await makeCheckpoint({ files, tensors })
    const { spec } = await analyzeCheckpoint({ storage })
    expect(spec.mamba_config).toMatchObject({ is_hybrid: true, num_mamba_layers: 3, num_attention_layers: 1 })
  })
})

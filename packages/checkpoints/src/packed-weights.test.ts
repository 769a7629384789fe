import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "./testing/checkpoint-folder.ts"
import { decoderTensors, type DecoderConfig } from "./testing/decoder-layout.ts"
import type { TestTensor } from "./testing/safetensors-file.ts"
import { analyzeCheckpoint } from "./analyze-checkpoint.ts"

const small: DecoderConfig = {
  num_hidden_layers: 2,
  hidden_size: 256,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 64,
  intermediate_size: 512,
  vocab_size: 1000,
  tie_word_embeddings: false,
}
const layer = 2 * 256 * 64 * (4 + 2) + 3 * 256 * 512 + 2 * 256
const parameters = 2 * 1000 * 256 + 2 * layer + 256
const downProjection = { name: "model.layers.*.mlp.down_proj", in_features: 512, out_features: 256, count: 2 }

type Pack = (module: string, rows: number, columns: number) => readonly TestTensor[]

/** Returns the same model with each matrix of its layers packed. */
function packed(pack: Pack): readonly TestTensor[] {
  return decoderTensors(small).flatMap((tensor): readonly TestTensor[] => {
    const [name, , [rows = 0, columns = 0]] = tensor
    return name.includes("_proj") ? pack(name.replace(/\.weight$/, ""), rows, columns) : [tensor]
  })
}

const describePacked = async (quantization_config: object, pack: Pack, more: object = {}) => {
  const config = { model_type: "llama", architectures: ["LlamaForCausalLM"], ...small, quantization_config, ...more }
  const { storage } = await makeCheckpoint({ files: { "config.json": config }, tensors: packed(pack) })
  return (await analyzeCheckpoint({ storage })).spec
}

const gptq =
  (bits: number): Pack =>
  (module, rows, columns) => [
    [`${module}.qweight`, "I32", [(columns * bits) / 32, rows]],
    [`${module}.qzeros`, "I32", [columns / 128, (rows * bits) / 32]],
    [`${module}.scales`, "F16", [columns / 128, rows]],
    [`${module}.g_idx`, "I32", [columns]],
  ]

describe("packed weights are counted by their unpacked shape", () => {
  it.each([2, 3, 4, 8])("in GPTQ with %d bits, even if the config says otherwise", async (bits) => {
    const config = { quant_method: "gptq", bits: 4, group_size: 128, desc_act: false }
    const spec = await describePacked(config, gptq(bits))
    expect(spec).toMatchObject({
      base_num_parameters: parameters,
      precision: `int${bits}`,
      quantization: { method: "gptq", bits: 4, group_size: 128 },
    })
    expect(spec.linear_layers).toContainEqual(downProjection)
  })

  it("in AWQ", async () => {
    const spec = await describePacked(
      { quant_method: "awq", bits: 4, group_size: 128, version: "GEMM" },
      (at, rows, columns) => [
        [`${at}.qweight`, "I32", [columns, rows / 8]],
        [`${at}.qzeros`, "I32", [columns / 128, rows / 8]],
        [`${at}.scales`, "F16", [columns / 128, rows]],
      ],
    )
    expect(spec).toMatchObject({ base_num_parameters: parameters, precision: "int4" })
    expect(spec.quantization).toEqual({ method: "awq", format: "gemm", bits: 4, group_size: 128 })
    expect(spec.linear_layers).toContainEqual(downProjection)
  })

  it("in bitsandbytes with 4 bits, whose shapes are lost", async () => {
    const config = { quant_method: "bitsandbytes", load_in_4bit: true, bnb_4bit_quant_type: "nf4" }
    const spec = await describePacked(config, (at, rows, columns) => [
      [`${at}.weight`, "U8", [(rows * columns) / 2, 1]],
      [`${at}.weight.absmax`, "U8", [(rows * columns) / 64]],
      [`${at}.weight.nested_absmax`, "F32", [(rows * columns) / 64 / 256]],
      [`${at}.weight.nested_quant_map`, "F32", [256]],
      [`${at}.weight.quant_map`, "F32", [16]],
      [`${at}.weight.quant_state.bitsandbytes__nf4`, "U8", [93]],
    ])
    expect(spec).toMatchObject({ base_num_parameters: parameters, precision: "nf4" })
    expect(spec.quantization).toEqual({ method: "bitsandbytes", format: "nf4", bits: 4, group_size: 64 })
    expect(spec.linear_layers).toContainEqual(downProjection)
  })

  it("in bitsandbytes with 8 bits", async () => {
    const spec = await describePacked({ quant_method: "bitsandbytes", load_in_8bit: true }, (at, rows, columns) => [
      [`${at}.weight`, "I8", [rows, columns]],
      [`${at}.SCB`, "F32", [rows]],
      [`${at}.weight_format`, "U8", []],
    ])
    expect(spec).toMatchObject({ base_num_parameters: parameters, precision: "int8" })
    expect(spec.quantization).toMatchObject({ method: "bitsandbytes", bits: 8 })
  })

  it("in 8-bit floats with scales, even if the config does not say so", async () => {
    const pack: Pack = (at, rows, columns) => [
      [`${at}.weight`, "F8_E4M3", [rows, columns]],
      [`${at}.weight_scale`, "F32", []],
      [`${at}.input_scale`, "F32", []],
      [`${at}.k_scale`, "F32", []],
    ]
    const config = {
      quant_method: "compressed-tensors",
      format: "float-quantized",
      config_groups: { g: { weights: { num_bits: 8 } } },
    }
    const said = await describePacked(config, pack)
    expect(said).toMatchObject({ base_num_parameters: parameters, precision: "float8_e4m3" })
    expect(said.quantization).toMatchObject({ method: "compressed-tensors", format: "float-quantized", bits: 8 })
    const { storage } = await makeCheckpoint({
      files: { "config.json": { model_type: "llama", architectures: ["LlamaForCausalLM"], ...small } },
      tensors: packed(pack),
    })
    const { spec } = await analyzeCheckpoint({ storage })
    expect(spec).toMatchObject({ base_num_parameters: parameters, quantization: { method: "fp8", bits: 8 } })
  })

  it("in compressed-tensors, by groups or by rows", async () => {
    const weights = { num_bits: 4, type: "int", strategy: "group", group_size: 128 }
    const config = {
      quant_method: "compressed-tensors",
      format: "pack-quantized",
      config_groups: { group_0: { weights } },
    }
    const spec = await describePacked(config, (at, rows, columns) => [
      [`${at}.weight_packed`, "I32", [rows, columns / 8]],
      [`${at}.weight_scale`, "BF16", [rows, columns / 128]],
      [`${at}.weight_shape`, "I64", [2]],
      [`${at}.weight_zero_point`, "I32", [rows / 8, columns / 128]],
    ])
    expect(spec).toMatchObject({ base_num_parameters: parameters, precision: "int4" })
    expect(spec.quantization).toEqual({
      method: "compressed-tensors",
      format: "pack-quantized",
      bits: 4,
      group_size: 128,
    })
    expect(spec.linear_layers).toContainEqual(downProjection)
  })

  it("in NVFP4 of ModelOpt, whose settings are in a separate file", async () => {
    const files = {
      "config.json": { model_type: "llama", architectures: ["LlamaForCausalLM"], ...small },
      "hf_quant_config.json": { quantization: { quant_algo: "NVFP4", group_size: 16 } },
    }
    const tensors = packed((at, rows, columns) => [
      [`${at}.weight`, "U8", [rows, columns / 2]],
      [`${at}.weight_scale`, "F8_E4M3", [rows, columns / 16]],
      [`${at}.weight_scale_2`, "F32", []],
      [`${at}.input_scale`, "F32", []],
    ])
    const { storage } = await makeCheckpoint({ files, tensors })
    const { spec } = await analyzeCheckpoint({ storage })
    expect(spec).toMatchObject({ base_num_parameters: parameters, precision: "nvfp4" })
    expect(spec.quantization).toEqual({ method: "modelopt", format: "nvfp4", bits: 4, group_size: 16 })
    expect(spec.linear_layers).toContainEqual(downProjection)
  })

  it("in MLX", async () => {
    const pack: Pack = (at, rows, columns) => [
      [`${at}.weight`, "U32", [rows, (columns * 6) / 32]],
      [`${at}.scales`, "BF16", [rows, columns / 64]],
      [`${at}.biases`, "BF16", [rows, columns / 64]],
    ]
    const spec = await describePacked({ group_size: 64, bits: 4 }, pack)
    expect(spec).toMatchObject({ base_num_parameters: parameters, precision: "int6", quantization: { method: "mlx" } })
  })

  it("in MXFP4 of gpt-oss-20b", async () => {
    const layers = Array.from({ length: 24 }, (_, index): readonly TestTensor[] => {
      const at = `model.layers.${index}`
      const linear = (name: string, rows: number, columns: number): readonly TestTensor[] => [
        [`${at}.${name}.weight`, "BF16", [rows, columns]],
        [`${at}.${name}.bias`, "BF16", [rows]],
      ]
      return [
        ...linear("self_attn.q_proj", 4096, 2880),
        ...linear("self_attn.k_proj", 512, 2880),
        ...linear("self_attn.v_proj", 512, 2880),
        ...linear("self_attn.o_proj", 2880, 4096),
        [`${at}.self_attn.sinks`, "BF16", [64]],
        ...linear("mlp.router", 32, 2880),
        [`${at}.mlp.experts.gate_up_proj_blocks`, "U8", [32, 5760, 90, 16]],
        [`${at}.mlp.experts.gate_up_proj_scales`, "U8", [32, 5760, 90]],
        [`${at}.mlp.experts.gate_up_proj_bias`, "BF16", [32, 5760]],
        [`${at}.mlp.experts.down_proj_blocks`, "U8", [32, 2880, 90, 16]],
        [`${at}.mlp.experts.down_proj_scales`, "U8", [32, 2880, 90]],
        [`${at}.mlp.experts.down_proj_bias`, "BF16", [32, 2880]],
        [`${at}.input_layernorm.weight`, "BF16", [2880]],
        [`${at}.post_attention_layernorm.weight`, "BF16", [2880]],
      ]
    })
    const tensors: readonly TestTensor[] = [
      ["model.embed_tokens.weight", "BF16", [201088, 2880]],
      ...layers.flat(),
      ["model.norm.weight", "BF16", [2880]],
      ["lm_head.weight", "BF16", [201088, 2880]],
    ]
    const sizes = {
      num_hidden_layers: 24,
      hidden_size: 2880,
      intermediate_size: 2880,
      num_local_experts: 32,
      num_experts_per_tok: 4,
      num_attention_heads: 64,
    }
    const config = {
      model_type: "gpt_oss",
      architectures: ["GptOssForCausalLM"],
      ...sizes,
      quantization_config: { quant_method: "mxfp4" },
    }
    const { storage } = await makeCheckpoint({ files: { "config.json": config }, tensors })
    const { spec } = await analyzeCheckpoint({ storage })
    const attention = 2 * 2880 * 4096 + 4096 + 2 * (2880 * 512 + 512) + 2880 + 64
    const experts = 32 * (2880 * 5760 + 5760 + 2880 * 2880 + 2880) + 32 * 2880 + 32
    expect(2 * 201088 * 2880 + 24 * (attention + experts + 2 * 2880) + 2880).toBe(20_914_757_184)
    expect(spec).toMatchObject({
      base_num_parameters: 20_914_757_184,
      precision: "mxfp4",
      quantization: { method: "mxfp4", bits: 4, group_size: 32 },
      moe_config: { num_experts: 32, num_expert_layers: 24, expert_ffn_size: 2880 },
      gated_mlp: true,
    })
    // Published as 3.61 B without the input table.
    expect((spec.active_num_parameters ?? 0) - 201088 * 2880).toBe(3_608_307_264)
  })
})

describe("a tensor that only looks like packing", () => {
  it("is counted if it is a parameter called scale, and not counted if it is a mask called bias", async () => {
    const tensors: readonly TestTensor[] = [
      ["wte.weight", "F32", [100, 8]],
      ["h.0.attn.bias", "F32", [1, 1, 64, 64]],
      ["h.0.attn.c_attn.weight", "F32", [8, 24]],
      ["h.0.attn.c_attn.bias", "F32", [24]],
      ["h.0.attn.layer_scale", "F32", [8]],
      ["h.0.ln_1.weight", "F32", [8]],
      ["h.0.ln_1.scale", "F32", [8]],
      ["logit_scale", "F32", []],
      ["h.0.mlp.c_fc.weight", "F32", [8, 32]],
    ]
    const config = { model_type: "gpt2", architectures: ["GPT2LMHeadModel"], n_layer: 1, n_embd: 8, n_head: 2 }
    const { storage } = await makeCheckpoint({ files: { "config.json": config }, tensors })
    const { spec } = await analyzeCheckpoint({ storage })
    expect(spec.base_num_parameters).toBe(800 + 8 * 24 + 24 + 3 * 8 + 1 + 8 * 32)
    expect(spec).toMatchObject({ ffn_hidden_size: 32, gated_mlp: false, tied_embeddings: true, vocab_size: 100 })
    expect(spec.linear_layers).toContainEqual({ name: "h.*.attn.c_attn", in_features: 8, out_features: 24, count: 1 })
  })
})

import { isAssayError } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeCheckpoint, type CheckpointContents } from "../testing/checkpoint-folder.ts"
import type { TestTensor } from "../testing/safetensors-file.ts"
import { analyzeCheckpoint } from "../analyze-checkpoint.ts"
import { parsePythonJson } from "../files/read-descriptions.ts"

const tensors: readonly TestTensor[] = [
  ["model.embed_tokens.weight", "BF16", [10, 8]],
  ["model.layers.0.self_attn.q_proj.weight", "BF16", [8, 8]],
]
const llama = { model_type: "llama", architectures: ["LlamaForCausalLM"], hidden_size: 8, num_hidden_layers: 1 }

const analyze = async (contents: CheckpointContents) => {
  const { storage } = await makeCheckpoint(contents)
  return analyzeCheckpoint({ storage })
}
const refusal = async (files: Readonly<Record<string, unknown>>) => {
  const error: unknown = await analyze({ files }).catch((reason: unknown) => reason)
  return isAssayError(error) ? `${error.code}: ${error.message}` : String(error)
}

const POINTER = `version ${["https:/", "git-lfs.github.com/spec/v1"].join("/")}\noid sha256:${"0a".repeat(32)}\nsize 4976698672\n`

describe("the checkpoint of a fileset", () => {
  it.each([
    ["pytorch_model.bin", { "config.json": llama, "pytorch_model.bin": POINTER }],
    [
      "pytorch_model-00002-of-00002.bin",
      {
        "config.json": llama,
        "pytorch_model-00001-of-00002.bin": "x".repeat(5000),
        "pytorch_model-00002-of-00002.bin": POINTER,
      },
    ],
    ["model-Q4_K_M.gguf", { "model-Q4_K_M.gguf": POINTER }],
    [
      "tokenizer_config.json",
      { "config.json": llama, "pytorch_model.bin": "weights", "tokenizer_config.json": POINTER },
    ],
    ["config.json", { "config.json": POINTER, "pytorch_model.bin": "weights" }],
  ])("is refused by name if git LFS has not fetched %s", async (name, files) => {
    expect(await refusal(files)).toMatch(
      new RegExp(`^broken_checkpoint: The file '${name}' is a pointer of git LFS, .*run 'git lfs pull'`),
    )
  })

  it("is in alternates/hf if that folder exists", verifies("models.analysis.alternates"), async () => {
    const files = {
      "config.json": { model_type: "other" },
      "model.onnx": "weights",
      "alternates/hf/config.json": llama,
      "alternates/hf/tokenizer_config.json": { chat_template: "{{ messages }}" },
    }
    const { spec } = await analyze({ files, tensors, within: "alternates/hf" })
    expect(spec).toMatchObject({ family: "llama", base_num_parameters: 144, is_chat: true })
  })

  it("is at the root otherwise, and never in another folder", async () => {
    const { spec } = await analyze({ files: { "config.json": llama, "original/params.json": {} }, tensors })
    expect(spec.base_num_parameters).toBe(144)
  })

  it(
    "has the config of its text model if there is a text_config",
    verifies("models.analysis.text-config"),
    async () => {
      const text = {
        model_type: "gemma3_text",
        hidden_size: 8,
        num_hidden_layers: 1,
        num_attention_heads: 2,
        sliding_window: 512,
      }
      const whole = {
        model_type: "gemma3",
        architectures: ["Gemma3ForConditionalGeneration"],
        hidden_size: 3,
        tie_word_embeddings: false,
      }
      const vision: TestTensor = ["vision_tower.vision_model.encoder.layers.26.mlp.fc1.weight", "BF16", [4, 4]]
      const { spec, warnings } = await analyze({
        files: { "config.json": { ...whole, text_config: text } },
        tensors: [...tensors, vision, ["lm_head.weight", "BF16", [10, 8]]],
      })
      expect(spec).toMatchObject({
        checkpoint_model_name: "Gemma3ForConditionalGeneration",
        family: "gemma3",
        hidden_size: 8,
        tied_embeddings: false,
        base_num_parameters: 240,
        sliding_window_config: { window_size: 512 },
      })
      expect(warnings).toEqual([])
    },
  )
})

describe("drafting layers", () => {
  it("are recognized by name or number, and not confused with those of an image model", async () => {
    const drafts: readonly TestTensor[] = [
      ["mtp.layers.0.mlp.up_proj.weight", "BF16", [2, 8]],
      ["model.layers.1.enorm.weight", "BF16", [8]],
      ["visual.blocks.7.mlp.fc1.weight", "BF16", [4, 4]],
    ]
    const config = { ...llama, num_nextn_predict_layers: 1 }
    const { spec, warnings } = await analyze({ files: { "config.json": config }, tensors: [...tensors, ...drafts] })
    expect(spec.base_num_parameters).toBe(144 + 16)
    expect(warnings).toEqual([expect.stringContaining("have 24 more parameters")])
  })
})

describe("a folder without a checkpoint", () => {
  it("is refused with what is missing", verifies("models.analysis.not-a-checkpoint"), async () => {
    const weights = "weights: '*.safetensors', '*.gguf' or 'pytorch_model*.bin'"
    const config = "'config.json', which describes the model"
    const at = "not_a_checkpoint: There is no checkpoint at the root: missing are"
    expect(await refusal({})).toBe(`${at} ${config}, and ${weights}.`)
    expect(await refusal({ "config.json": llama })).toBe(`${at} ${weights}.`)
    expect(await refusal({ "README.md": "x", "pytorch_model.bin": "x" })).toBe(`${at} ${config}.`)
    expect(await refusal({ "alternates/hf/x.txt": "x", "config.json": llama })).toContain(
      "in 'alternates/hf/': missing are",
    )
  })

  it("is refused with a hint about what is there instead", async () => {
    expect(await refusal({ "adapter_config.json": {}, "adapter_model.safetensors": "x" })).toContain(
      "this is an adapter",
    )
    expect(await refusal({ "params.json": {}, "consolidated.safetensors": "x" })).toContain(
      "convert these original weights",
    )
    expect(await refusal({ "checkpoint-500/config.json": {} })).toContain("there is something in 'checkpoint-500/'")
  })

  it("is refused if the config can't be read", async () => {
    const bin = { "pytorch_model.bin": "x" }
    expect(await refusal({ ...bin, "config.json": "{" })).toContain(
      "broken_checkpoint: The file 'config.json' is not JSON: ",
    )
    expect(await refusal({ ...bin, "config.json": [] })).toContain("'config.json' does not contain a JSON object")
    expect(await refusal({ ...bin, "config.json": " ".repeat(33 * 1024 * 1024) })).toContain(
      "such a file is read up to",
    )
  })
})

describe("weights without readable headers", () => {
  it("are those of the kind with most bytes", async () => {
    const files = {
      "config.json": llama,
      "pytorch_model.bin": "1234567",
      "model.onnx": "12",
      "optimizer.pt": "123456789",
    }
    const { spec, warnings } = await analyze({ files })
    expect(spec).toMatchObject({ weights_bytes: 7, parameters_estimated: true, precision: null, linear_layers: [] })
    expect(warnings).toContain("No header of the weights can be read; the parameters are estimated from the config.")
  })

  it("have the precision in the config", verifies("models.spec.precision"), async () => {
    const files = { "pytorch_model.bin": "1" }
    const old = await analyze({ files: { ...files, "config.json": { ...llama, torch_dtype: "float16" } } })
    expect(old.spec.precision).toBe("float16")
    const recent = await analyze({ files: { ...files, "config.json": { ...llama, dtype: "bfloat16" } } })
    expect(recent.spec.precision).toBe("bfloat16")
  })
})

describe("a model of an unknown family", () => {
  it("is described by its config and tensors", async () => {
    const config = { ...llama, model_type: "shiny", architectures: ["ShinyForCausalLM"], vocab_size: 10 }
    const { spec, warnings } = await analyze({ files: { "config.json": config }, tensors })
    expect(spec).toMatchObject({ family: "shiny", base_num_parameters: 144, vocab_size: 10, tied_embeddings: true })
    expect(warnings).toEqual([expect.stringContaining("The family 'shiny' is not known by name")])
  })

  it("has no sizes that are stated nowhere", async () => {
    const { spec, warnings } = await analyze({ files: { "config.json": {} }, tensors: [["w", "F32", [4]]] })
    expect(spec).toMatchObject({
      family: "unknown",
      checkpoint_model_name: "unknown",
      hidden_size: null,
      base_num_parameters: 4,
    })
    expect(spec).toMatchObject({ minimum_gpus_lora: null, minimum_gpus_all_weights: null })
    expect(warnings.join()).toContain("Neither config nor weights state: num_layers, hidden_size, vocab_size.")
  })

  it("is not confused by keys that every object inherits", async () => {
    const config = {
      model_type: "constructor",
      architectures: ["toString"],
      quantization_config: { quant_method: "constructor" },
    }
    const { spec } = await analyze({ files: { "config.json": config }, tensors: [["constructor", "F32", [4]]] })
    expect(spec).toMatchObject({
      family: "constructor",
      base_num_parameters: 4,
      quantization: { method: "constructor" },
    })
  })
})

describe("JSON written by Python", () => {
  it("has words for numbers that become null, but not inside strings", () => {
    const text = '{"a": [0.0, Infinity, -Infinity, NaN], "b": "NaN \\" Infinity"}'
    expect(parsePythonJson(text)).toEqual({ a: [0, null, null, null], b: 'NaN " Infinity' })
  })

  it("is refused if it is invalid otherwise", () => {
    expect(() => parsePythonJson('{"a": nan}')).toThrow(SyntaxError)
    expect(() => parsePythonJson('{"a": NaN')).toThrow(SyntaxError)
  })
})

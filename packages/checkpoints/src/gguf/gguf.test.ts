import { rename } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "../testing/checkpoint-folder.ts"
import { writeGguf, type GgufContents, type GgufTensor } from "../testing/gguf-file.ts"
import { analyzeCheckpoint } from "../analyze-checkpoint.ts"
import { GGUF_TYPES } from "./gguf-types.ts"

const TYPES = Object.entries(GGUF_TYPES).map(([number, type]) => ({ number: Number(number), ...type }))

const metadata = {
  "general.architecture": "llama",
  "general.file_type": 15,
  "llama.block_count": 2,
  "llama.context_length": 4096,
  "llama.embedding_length": 256,
  "llama.feed_forward_length": 512,
  "llama.attention.head_count": 4,
  "llama.attention.head_count_kv": 2,
  "tokenizer.ggml.tokens": ["a", "b", "c"],
}
const shapes = (block: number): readonly (readonly [string, readonly number[]])[] => [
  [`blk.${block}.attn_q.weight`, [256, 256]],
  [`blk.${block}.attn_k.weight`, [128, 256]],
  [`blk.${block}.attn_v.weight`, [128, 256]],
  [`blk.${block}.attn_output.weight`, [256, 256]],
  [`blk.${block}.ffn_gate.weight`, [512, 256]],
  [`blk.${block}.ffn_up.weight`, [512, 256]],
  [`blk.${block}.ffn_down.weight`, [256, 512]],
]
const layer = 2 * 256 * 256 + 2 * 128 * 256 + 3 * 512 * 256
const parameters = 3 * 256 + 2 * layer

/** Returns a model whose matrices have one type. */
function contentsOf(type: number): GgufContents {
  const tensors: readonly GgufTensor[] = [
    ["token_embd.weight", 1, [3, 256]],
    ["rope_freqs.weight", 0, [32]],
    ...[0, 1].flatMap((block) => shapes(block).map(([name, shape]): GgufTensor => [name, type, shape])),
  ]
  const bytes = tensors.map(([, number, shape]) => {
    const elements = shape.reduce((product, one) => product * one, 1)
    return (elements / (GGUF_TYPES[number]?.block ?? 1)) * (GGUF_TYPES[number]?.bytes ?? 1)
  })
  const offsets = bytes.map((_, index) => bytes.slice(0, index).reduce((sum, one) => sum + one, 0))
  return { metadata, tensors, offsets, data: bytes.reduce((sum, one) => sum + one, 0) }
}

async function analyzeGguf(contents: GgufContents, name = "model.gguf") {
  const { folder, storage } = await makeCheckpoint()
  await writeGguf(join(folder, name), contents)
  return analyzeCheckpoint({ storage })
}

describe("the description of a GGUF file", () => {
  it.each(TYPES)("counts its weights of type $name by their shape", async ({ number, name, block, bytes }) => {
    const { spec } = await analyzeGguf(contentsOf(number))
    const isWhole = block === 1
    expect(spec).toMatchObject({ base_num_parameters: parameters, parameters_estimated: false })
    expect(spec.weights_bytes).toBe(3 * 256 * 2 + 32 * 4 + (2 * layer * 8 * bytes) / block / 8)
    expect(spec.quantization).toEqual(
      isWhole ? null : { method: "gguf", format: "Q4_K_M", bits: (8 * bytes) / block, group_size: block },
    )
    if (!isWhole) expect(spec.precision).toBe(name.toLowerCase())
  })

  it("has the sizes of its metadata", async () => {
    const { spec, warnings } = await analyzeGguf(contentsOf(12))
    expect(spec).toMatchObject({
      checkpoint_model_name: "llama",
      family: "llama",
      context_size: 4096,
      num_layers: 2,
      hidden_size: 256,
      num_attention_heads: 4,
      num_kv_heads: 2,
      ffn_hidden_size: 512,
      vocab_size: 3,
      tied_embeddings: true,
      gated_mlp: true,
    })
    expect(spec.linear_layers).toContainEqual({ name: "blk.*.ffn_down", in_features: 512, out_features: 256, count: 2 })
    expect(warnings).toEqual([])
  })

  it("skips a vocabulary of 150,000 tokens with few requests, and keeps the template after it", async () => {
    const tokens = Array.from({ length: 150_000 }, (_, index) => `token number ${index}`)
    const template = "{% for message in messages %}{{ message.content }}{% endfor %}"
    const scores = tokens.map((_, index) => index)
    const contents = contentsOf(12)
    const more = {
      "tokenizer.ggml.tokens": tokens,
      "tokenizer.ggml.scores": scores,
      "tokenizer.chat_template": template,
    }
    const result = await analyzeGguf({ ...contents, metadata: { ...metadata, ...more } })
    expect(result.spec).toMatchObject({ vocab_size: 150_000, chat_template: template, is_chat: true })
    expect(result.requests).toBeLessThan(8)
    expect(result.bytes_read).toBeLessThan(7_000_000)
  })

  it("counts experts, and leaves out drafting layers", async () => {
    const sizes = {
      "general.architecture": "glm4moe",
      "glm4moe.block_count": 3,
      "glm4moe.nextn_predict_layers": 1,
      "glm4moe.embedding_length": 256,
      "glm4moe.expert_count": 4,
      "glm4moe.expert_used_count": 2,
      "glm4moe.expert_feed_forward_length": 32,
    }
    const tensors: readonly GgufTensor[] = [
      ["token_embd.weight", 0, [3, 256]],
      ["output.weight", 0, [3, 256]],
      ["blk.0.ffn_up.weight", 0, [512, 256]],
      ["blk.1.ffn_up_exps.weight", 0, [4, 32, 256]],
      ["blk.1.ffn_up_shexp.weight", 0, [32, 256]],
      ["blk.2.nextn.eh_proj.weight", 0, [256, 512]],
    ]
    const offsets = [0, 3072, 6144, 530_432, 661_504, 694_272]
    const { spec, warnings } = await analyzeGguf({ metadata: sizes, tensors, offsets, data: 1_218_560 })
    expect(spec).toMatchObject({ family: "glm4_moe", num_layers: 2, tied_embeddings: false })
    expect(spec.base_num_parameters).toBe(2 * 768 + 512 * 256 + 4 * 32 * 256 + 32 * 256)
    expect(spec).toMatchObject({
      active_num_parameters: 2 * 768 + 512 * 256 + 2 * 32 * 256 + 32 * 256,
      draft_num_parameters: 256 * 512,
    })
    expect(spec.moe_config).toEqual({
      num_experts: 4,
      num_experts_per_tok: 2,
      num_expert_layers: 1,
      expert_ffn_size: 32,
      num_shared_experts: 1,
    })
    expect(warnings[0]).toContain((256 * 512).toLocaleString("en-US"))
  })

  it("joins the parts of a model, and takes the largest of several models", async () => {
    const { folder, storage } = await makeCheckpoint()
    const { tensors, offsets = [], data } = contentsOf(0)
    const half = offsets[9] ?? 0
    await writeGguf(join(folder, "a-00001-of-00002.gguf"), {
      metadata,
      tensors: tensors.slice(0, 9),
      offsets,
      data: half,
    })
    const rest = {
      tensors: tensors.slice(9),
      offsets: offsets.slice(9).map((offset) => offset - half),
      data: data - half,
    }
    await writeGguf(join(folder, "a-00002-of-00002.gguf"), { metadata: {}, ...rest })
    await writeGguf(join(folder, "a-Q4_K.gguf"), contentsOf(12))
    await writeGguf(join(folder, "mmproj-a.gguf"), contentsOf(0))
    const { spec, warnings } = await analyzeCheckpoint({ storage })
    expect(spec).toMatchObject({ base_num_parameters: parameters, precision: "float32" })
    expect(warnings).toEqual([expect.stringContaining("'a-Q4_K'")])
    await rename(join(folder, "a-00001-of-00002.gguf"), join(folder, "a-00001-of-00002.bak"))
    await expect(analyzeCheckpoint({ storage })).rejects.toThrow("'a-00001-of-00002.gguf' is missing")
  })

  it("fails with the faults of each file", async () => {
    const whole = contentsOf(12)
    const cases: readonly (readonly [Partial<GgufContents>, string])[] = [
      [{ version: 1 }, "'model.gguf' has version 1; versions 2 and 3 are supported"],
      [{ version: 0x03000000 }, "'model.gguf' is big-endian"],
      [{ data: 1000 }, "is cut short: 'token_embd.weight' ends at byte 1536 of the data"],
      [{ tensorCount: 18_446_744_073_709_551_615n }, "has a number of 18446744073709551615 where a size is expected"],
      [{ tensorCount: 900_000n }, "says that it has 900000 tensors"],
      [{ tensorCount: 40n }, "'model.gguf' has"],
      [{ offsets: whole.tensors.map(() => 0) }, "has tensors that overlap"],
    ]
    for (const [part, message] of cases) {
      await expect(analyzeGguf({ ...whole, ...part })).rejects.toMatchObject({
        code: "broken_checkpoint",
        message: expect.stringContaining(message),
      })
    }
    const { storage } = await makeCheckpoint({ files: { "model.gguf": "not a model at all, but long enough" } })
    await expect(analyzeCheckpoint({ storage })).rejects.toThrow("'model.gguf' does not begin with 'GGUF'")
  })

  it("is an embedding model only if it has a pooling type", async () => {
    expect((await analyzeGguf(contentsOf(1))).spec.is_embedding_model).toBe(false)
    const pooling = { ...metadata, "llama.pooling_type": 3 }
    expect((await analyzeGguf({ ...contentsOf(1), metadata: pooling })).spec.is_embedding_model).toBe(true)
  })
})

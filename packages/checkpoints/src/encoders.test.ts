import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeCheckpoint } from "./testing/checkpoint-folder.ts"
import { bertTensors } from "./testing/encoder-layout.ts"
import type { TestTensor } from "./testing/safetensors-file.ts"
import { analyzeCheckpoint } from "./analyze-checkpoint.ts"

const bert = {
  model_type: "bert",
  architectures: ["BertModel"],
  num_hidden_layers: 12,
  hidden_size: 768,
  num_attention_heads: 12,
  intermediate_size: 3072,
  vocab_size: 30522,
  max_position_embeddings: 512,
  type_vocab_size: 2,
}
/** Four attention matrices, two MLP matrices, two norms, and their biases. */
const layer = 4 * (768 * 768 + 768) + 2 * 768 * 3072 + 3072 + 768 + 4 * 768
const bertBase = (30522 + 512 + 2 + 2) * 768 + 12 * layer + 768 * 768 + 768

const describeFiles = async (
  files: Readonly<Record<string, unknown>>,
  tensors?: readonly TestTensor[],
  names?: string[],
) => {
  const { storage } = await makeCheckpoint({ files, ...(tensors === undefined ? {} : { tensors }) })
  return (await analyzeCheckpoint({ storage, names })).spec
}

describe("the description of encoder models", () => {
  it("is correct for BERT-base, without its position buffer", async () => {
    const spec = await describeFiles({ "config.json": bert }, bertTensors(bert))
    expect(bertBase).toBe(109_482_240)
    expect(spec).toMatchObject({
      family: "bert",
      base_num_parameters: 109_482_240,
      gated_mlp: false,
      num_kv_heads: 12,
      context_size: 512,
      is_chat: false,
    })
  })

  it(
    "estimates the exact number of parameters of BERT-base if its weights can't be read",
    verifies("models.spec.parameters-estimated"),
    async () => {
      const spec = await describeFiles({
        "config.json": bert,
        "pytorch_model.bin": "weights",
        "training_args.bin": "x",
      })
      expect(spec).toMatchObject({
        base_num_parameters: 109_482_240,
        parameters_estimated: true,
        weights_bytes: 7,
        linear_layers: [],
      })
    },
  )

  it("subtracts positions that are not for tokens", async () => {
    const roberta = { ...bert, model_type: "xlm-roberta", max_position_embeddings: 514 }
    expect(await describeFiles({ "config.json": roberta }, bertTensors(bert))).toMatchObject({ context_size: 512 })
  })

  it("is correct for ModernBERT-base, whose gate shares a matrix", async () => {
    const at = (index: number) => `layers.${index}`
    const layers = Array.from({ length: 22 }, (_, index): readonly TestTensor[] => [
      ...(index === 0 ? [] : ([[`${at(index)}.attn_norm.weight`, "F32", [768]]] as const)),
      [`${at(index)}.attn.Wqkv.weight`, "F32", [3 * 768, 768]],
      [`${at(index)}.attn.Wo.weight`, "F32", [768, 768]],
      [`${at(index)}.mlp_norm.weight`, "F32", [768]],
      [`${at(index)}.mlp.Wi.weight`, "F32", [2 * 1152, 768]],
      [`${at(index)}.mlp.Wo.weight`, "F32", [768, 1152]],
    ])
    const tensors: readonly TestTensor[] = [
      ["embeddings.tok_embeddings.weight", "F32", [50368, 768]],
      ["embeddings.norm.weight", "F32", [768]],
      ...layers.flat(),
      ["final_norm.weight", "F32", [768]],
    ]
    const sizes = { num_hidden_layers: 22, hidden_size: 768, num_attention_heads: 12, intermediate_size: 1152 }
    const config = { model_type: "modernbert", architectures: ["ModernBertModel"], ...sizes, local_attention: 128 }
    expect(50368 * 768 + 22 * (768 * (4 * 768 + 3 * 1152) + 2 * 768) + 768).toBe(149_014_272)
    expect(await describeFiles({ "config.json": config }, tensors)).toMatchObject({
      base_num_parameters: 149_014_272,
      gated_mlp: true,
      vocab_size: 50368,
      sliding_window_config: { window_size: 128 },
    })
  })

  it("is correct for T5-small, whose tables are stored three times", async () => {
    const block = (at: string, layers: number): readonly TestTensor[] => [
      ...["q", "k", "v", "o"].map((name): TestTensor => [`${at}.0.SelfAttention.${name}.weight`, "F32", [512, 512]]),
      [`${at}.0.layer_norm.weight`, "F32", [512]],
      ...(layers === 3
        ? ["q", "k", "v", "o"].map((name): TestTensor => [`${at}.1.EncDecAttention.${name}.weight`, "F32", [512, 512]])
        : []),
      ...(layers === 3 ? [[`${at}.1.layer_norm.weight`, "F32", [512]] as const] : []),
      [`${at}.${layers - 1}.DenseReluDense.wi.weight`, "F32", [2048, 512]],
      [`${at}.${layers - 1}.DenseReluDense.wo.weight`, "F32", [512, 2048]],
      [`${at}.${layers - 1}.layer_norm.weight`, "F32", [512]],
    ]
    const half = (name: string, layers: number): readonly TestTensor[] => [
      [`${name}.embed_tokens.weight`, "F32", [32128, 512]],
      [`${name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight`, "F32", [32, 8]],
      ...Array.from({ length: 6 }, (_, index) => block(`${name}.block.${index}.layer`, layers)).flat(),
      [`${name}.final_layer_norm.weight`, "F32", [512]],
    ]
    const tensors: readonly TestTensor[] = [
      ["shared.weight", "F32", [32128, 512]],
      ...half("encoder", 2),
      ...half("decoder", 3),
      ["lm_head.weight", "F32", [32128, 512]],
    ]
    const config = {
      model_type: "t5",
      architectures: ["T5ForConditionalGeneration"],
      num_layers: 6,
      d_model: 512,
      d_ff: 2048,
      num_heads: 8,
      vocab_size: 32128,
      n_positions: 512,
    }
    expect(await describeFiles({ "config.json": config }, tensors)).toMatchObject({
      base_num_parameters: 60_506_624,
      tied_embeddings: true,
      num_layers: 6,
      gated_mlp: false,
    })
  })
})

describe("an embedding model", () => {
  const tensors = bertTensors({ ...bert, num_hidden_layers: 1 })

  it(
    "is recognized by a class without a head, a file of Sentence Transformers, or a name",
    verifies("models.spec.embedding-reasons"),
    async () => {
      const masked = { ...bert, architectures: ["BertForMaskedLM"] }
      const plain = await describeFiles({ "config.json": masked }, tensors)
      expect(plain).toMatchObject({ is_embedding_model: false, embedding_reasons: [] })
      const headless = await describeFiles({ "config.json": bert }, tensors)
      expect(headless).toMatchObject({
        is_embedding_model: true,
        embedding_reasons: [expect.stringContaining("BertModel")],
      })
      const sentences = await describeFiles({ "config.json": masked, "modules.json": [] }, tensors)
      expect(sentences.embedding_reasons).toEqual([expect.stringContaining("modules.json")])
      const named = await describeFiles({ "config.json": masked }, tensors, ["default/nv-Embed-v2"])
      expect(named.embedding_reasons).toEqual([expect.stringContaining("nv-Embed-v2")])
    },
  )

  it("is not assumed for a class whose output is labels, and is never a chat model", async () => {
    const labels = { ...bert, architectures: ["BertForSequenceClassification"] }
    const template = { chat_template: "{{ messages }}" }
    const files = { "modules.json": [], "tokenizer_config.json": template }
    const ranker = await describeFiles({ "config.json": labels, ...files }, tensors)
    expect(ranker).toMatchObject({ is_embedding_model: false, is_chat: true })
    const embedder = await describeFiles({ "config.json": bert, ...files }, tensors)
    expect(embedder).toMatchObject({ is_embedding_model: true, is_chat: false })
  })
})

import type { TestTensor } from "./safetensors-file.ts"

export interface EncoderConfig {
  readonly num_hidden_layers: number
  readonly hidden_size: number
  readonly intermediate_size: number
  readonly vocab_size: number
  readonly max_position_embeddings: number
  readonly type_vocab_size: number
}

/** Returns the tensors of `BertModel`: no head, a pooler, and the position buffer that old checkpoints contain. */
export function bertTensors(config: EncoderConfig): readonly TestTensor[] {
  const { hidden_size: hidden, intermediate_size: inner } = config
  const linear = (name: string, rows: number, columns: number): TestTensor[] => [
    [`${name}.weight`, "F32", [rows, columns]],
    [`${name}.bias`, "F32", [rows]],
  ]
  const norm = (name: string): TestTensor[] => [
    [`${name}.weight`, "F32", [hidden]],
    [`${name}.bias`, "F32", [hidden]],
  ]
  const layers = Array.from({ length: config.num_hidden_layers }, (_, layer) => {
    const at = `encoder.layer.${layer}`
    return [
      ...["query", "key", "value"].flatMap((name) => linear(`${at}.attention.self.${name}`, hidden, hidden)),
      ...linear(`${at}.attention.output.dense`, hidden, hidden),
      ...norm(`${at}.attention.output.LayerNorm`),
      ...linear(`${at}.intermediate.dense`, inner, hidden),
      ...linear(`${at}.output.dense`, hidden, inner),
      ...norm(`${at}.output.LayerNorm`),
    ]
  })
  return [
    ["embeddings.position_ids", "I64", [1, config.max_position_embeddings]],
    ["embeddings.word_embeddings.weight", "F32", [config.vocab_size, hidden]],
    ["embeddings.position_embeddings.weight", "F32", [config.max_position_embeddings, hidden]],
    ["embeddings.token_type_embeddings.weight", "F32", [config.type_vocab_size, hidden]],
    ...norm("embeddings.LayerNorm"),
    ...layers.flat(),
    ...linear("pooler.dense", hidden, hidden),
  ]
}

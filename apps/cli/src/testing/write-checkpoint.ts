import type { TemporaryFolder } from "./temporary-folder.ts"

const HIDDEN = 64
const LAYERS = 2
const VOCABULARY = 1000

const SHAPES: Readonly<Record<string, readonly number[]>> = {
  "model.embed_tokens.weight": [VOCABULARY, HIDDEN],
  "model.norm.weight": [HIDDEN],
  "lm_head.weight": [VOCABULARY, HIDDEN],
  ...Object.fromEntries(
    Array.from({ length: LAYERS }, (_, layer) => [
      [`model.layers.${layer}.self_attn.q_proj.weight`, [HIDDEN, HIDDEN]],
      [`model.layers.${layer}.self_attn.k_proj.weight`, [HIDDEN / 2, HIDDEN]],
      [`model.layers.${layer}.self_attn.v_proj.weight`, [HIDDEN / 2, HIDDEN]],
      [`model.layers.${layer}.self_attn.o_proj.weight`, [HIDDEN, HIDDEN]],
      [`model.layers.${layer}.mlp.gate_proj.weight`, [2 * HIDDEN, HIDDEN]],
      [`model.layers.${layer}.mlp.up_proj.weight`, [2 * HIDDEN, HIDDEN]],
      [`model.layers.${layer}.mlp.down_proj.weight`, [HIDDEN, 2 * HIDDEN]],
    ]).flat(),
  ),
}

const CONFIG = {
  architectures: ["LlamaForCausalLM"],
  model_type: "llama",
  torch_dtype: "bfloat16",
  hidden_size: HIDDEN,
  num_hidden_layers: LAYERS,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 2 * HIDDEN,
  vocab_size: VOCABULARY,
  max_position_embeddings: 8192,
}

/** Number of parameters of the checkpoint that `writeCheckpoint` writes. */
export const CHECKPOINT_PARAMETERS = Object.values(SHAPES).reduce((sum, shape) => sum + sizeOf(shape), 0)

/** Writes a small checkpoint: a config, a chat template, and weights of zeros. */
export function writeCheckpoint(folder: TemporaryFolder, name: string, chatTemplate: string): void {
  let end = 0
  const header = Object.fromEntries(
    Object.entries(SHAPES).map(([tensor, shape]) => {
      const begin = end
      end += 2 * sizeOf(shape)
      return [tensor, { dtype: "BF16", shape, data_offsets: [begin, end] }]
    }),
  )
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  folder.write(`${name}/model.safetensors`, Buffer.concat([length, text, Buffer.alloc(end)]))
  folder.write(`${name}/config.json`, JSON.stringify(CONFIG))
  folder.write(`${name}/tokenizer_config.json`, JSON.stringify({ chat_template: chatTemplate }))
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1)
}

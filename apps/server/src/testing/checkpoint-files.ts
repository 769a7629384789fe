/** Files of a tiny checkpoint by path. Its weights have their real size and contain zeros. */
export function checkpointFiles({ template }: { readonly template?: string } = {}): Readonly<Record<string, Buffer>> {
  const hidden = 1024
  const vocabulary = 1000
  const json = (value: object) => Buffer.from(JSON.stringify(value))
  const tokenizer = template === undefined ? {} : { "tokenizer_config.json": json({ chat_template: template }) }
  const config = {
    model_type: "qwen2",
    architectures: ["Qwen2ForCausalLM"],
    hidden_size: hidden,
    num_hidden_layers: 1,
    vocab_size: vocabulary,
    torch_dtype: "bfloat16",
  }
  const weights = safetensors("model.embed_tokens.weight", [vocabulary, hidden])
  return { "config.json": json(config), "model.safetensors": weights, ...tokenizer }
}

/** Number of parameters of the checkpoint. */
export const CHECKPOINT_PARAMETERS = 1_024_000

function safetensors(name: string, shape: readonly number[]): Buffer {
  const bytes = shape.reduce((product, size) => product * size, 2)
  const header = Buffer.from(JSON.stringify({ [name]: { dtype: "BF16", shape, data_offsets: [0, bytes] } }))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  return Buffer.concat([length, header, Buffer.alloc(bytes)])
}

import type { TestTensor } from "./safetensors-file.ts"

/** Sizes of a decoder in the layout of Llama, as in its config. */
export interface DecoderConfig {
  readonly num_hidden_layers: number
  readonly hidden_size: number
  readonly num_attention_heads: number
  readonly num_key_value_heads: number
  readonly head_dim: number
  readonly intermediate_size: number
  readonly vocab_size: number
  readonly tie_word_embeddings: boolean
}

export interface DecoderTraits {
  /** Whether the query, key and value projections have biases. */
  readonly qkvBias?: boolean
  readonly qkNorm?: boolean
  readonly dtype?: string
  /** Names and shapes of a layer's MLP, instead of a dense one. */
  readonly mlp?: (layer: number) => readonly (readonly [name: string, shape: readonly number[]])[]
}

/** Returns the tensors of a model with the names of Llama. Qwen, Mistral, Mixtral and others differ only in traits. */
export function decoderTensors(config: DecoderConfig, traits: DecoderTraits = {}): readonly TestTensor[] {
  const { hidden_size: hidden, head_dim: head, vocab_size: vocabulary } = config
  const queries = config.num_attention_heads * head
  const keys = config.num_key_value_heads * head
  const { dtype = "BF16", mlp = () => denseMlp(hidden, config.intermediate_size) } = traits
  const layers = Array.from(
    { length: config.num_hidden_layers },
    (_, layer) =>
      [
        ["input_layernorm", [hidden]],
        ["post_attention_layernorm", [hidden]],
        ["self_attn.q_proj", [queries, hidden]],
        ["self_attn.k_proj", [keys, hidden]],
        ["self_attn.v_proj", [keys, hidden]],
        ["self_attn.o_proj", [hidden, queries]],
        ...(traits.qkNorm === true
          ? ([
              ["self_attn.q_norm", [head]],
              ["self_attn.k_norm", [head]],
            ] as const)
          : []),
        ...mlp(layer),
      ] as const,
  )
  return [
    ["model.embed_tokens.weight", dtype, [vocabulary, hidden]],
    ...layers.flatMap((tensors, layer): TestTensor[] => [
      ...tensors.map(([name, shape]): TestTensor => [`model.layers.${layer}.${name}.weight`, dtype, shape]),
      ...(traits.qkvBias === true ? qkvBiases(layer, dtype, queries, keys) : []),
    ]),
    ["model.norm.weight", dtype, [hidden]],
    ...(config.tie_word_embeddings ? [] : [["lm_head.weight", dtype, [vocabulary, hidden]] as const]),
  ]
}

export function denseMlp(hidden: number, inner: number, module = "mlp") {
  return [
    [`${module}.gate_proj`, [inner, hidden]],
    [`${module}.up_proj`, [inner, hidden]],
    [`${module}.down_proj`, [hidden, inner]],
  ] as const
}

function qkvBiases(layer: number, dtype: string, queries: number, keys: number): readonly TestTensor[] {
  const at = `model.layers.${layer}.self_attn`
  return [
    [`${at}.q_proj.bias`, dtype, [queries]],
    [`${at}.k_proj.bias`, dtype, [keys]],
    [`${at}.v_proj.bias`, dtype, [keys]],
  ]
}

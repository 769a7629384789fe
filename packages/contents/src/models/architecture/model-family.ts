/** What models of one family have in common, and no config says. */
export interface ModelFamily {
  readonly family: string
  /** `model_type` of configs, where it is not the family's name. */
  readonly modelTypes?: readonly string[]
  /** Classes of `architectures`. A name ends with its head; all heads of the family begin like this. */
  readonly classes: readonly string[]
  /** `general.architecture` of GGUF files. */
  readonly gguf?: readonly string[]
  readonly kind: "decoder" | "encoder" | "encoder-decoder" | "state-space"
  readonly gated: boolean
  /** Name of vLLM's parser for the tool calls of its chat models. */
  readonly parser?: string
  /** Inner size of the MLP in widths of the model, where a config may leave it out. */
  readonly ffnFactor?: number
  /** Whether the output head is the embedding table where the config does not say; default false. */
  readonly tied?: boolean
  /** Positions that the table has besides those of tokens. */
  readonly extraPositions?: number
  /** Whether weights of linear layers are `[in, out]`. */
  readonly isTransposed?: boolean
}

import type { Weight } from "./packing.ts"

/** The table that maps tokens to vectors. */
const INPUT =
  /(^|\.)(embed_tokens|wte|word_embeddings|tok_embeddings|embed_in|embedding|embeddings|shared|token_embd|tok_embed)\.weight$/
/** The matrix that maps vectors to scores of tokens. */
const HEAD =
  /(^|\.)(lm_head(\.decoder)?|embed_out|output_layer|output|proj_out|predictions\.decoder|head\.decoder)\.weight$/
const ENCODER_HEAD = /^(decoder|vocab_projector)\.weight$/
/** Copies of one table in the encoder and the decoder. */
const HALVES = /(^|\.)(encoder|decoder)\.embed_tokens\.weight$/
const SHARED = /(^|\.)shared\.weight$/
/** Copies of a bias: `predictions.bias` and `lm_head.bias` are the same. */
const HEAD_BIAS = /(^|\.)(predictions|lm_head)\.decoder\.bias$/

export interface EmbeddingTables {
  readonly input: Weight | undefined
  readonly head: Weight | undefined
  /** Weights that are stored again under another name. */
  readonly copies: readonly Weight[]
}

/** Finds the tables among `weights`, which must not contain the weights of layers. */
export function findEmbeddingTables(weights: readonly Weight[]): EmbeddingTables {
  const shared = weights.find(({ name }) => SHARED.test(name))
  const isCopy = ({ name, elements }: Weight) =>
    HEAD_BIAS.test(name) || (shared !== undefined && HALVES.test(name) && elements === shared.elements)
  return {
    input: shared ?? largest(weights.filter(({ name }) => INPUT.test(name))),
    head: largest(weights.filter(({ name }) => HEAD.test(name) || ENCODER_HEAD.test(name))),
    copies: weights.filter(isCopy),
  }
}

function largest(weights: readonly Weight[]): Weight | undefined {
  return weights.toSorted((a, b) => b.elements - a.elements)[0]
}

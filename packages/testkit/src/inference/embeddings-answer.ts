import { hash } from "node:crypto"
import type { InferenceAnswer } from "./inference-request.ts"

/** A request for embeddings, as it was sent. */
export interface FakeEmbeddingsBody {
  readonly model: string
  readonly input: string | readonly string[]
}

const DIMENSIONS = 64

/** Returns the vector of each text: the counts of its words, each at a dimension of its own or of few. Texts with the same words are alike. Any model name works. */
export function embeddingsAnswer({ model, input }: FakeEmbeddingsBody): InferenceAnswer {
  const texts = typeof input === "string" ? [input] : input
  const data = texts.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }))
  const tokens = texts.reduce((sum, text) => sum + wordsOf(text).length, 0)
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  const headers = { "content-type": "application/json" }
  return { status: 200, headers, body: JSON.stringify({ object: "list", data, model, usage }) }
}

function vectorOf(text: string): readonly number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0.01)
  for (const word of wordsOf(text)) {
    const at = Number.parseInt(hash("sha256", word).slice(0, 8), 16) % DIMENSIONS
    vector[at] = (vector[at] ?? 0) + 1
  }
  return vector
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []
}

import { fieldsOf } from "@assay/json"
import type { TokenUsage } from "@assay/schemas"
import { parseAnswer } from "./completion-body.ts"
import { checkSucceeded } from "./failed-answer.ts"
import { readTokenUsage } from "./read-token-usage.ts"

/** The vectors of texts, in their order. */
export interface EmbeddingAnswer {
  /** All of one length, with finite numbers. */
  readonly vectors: readonly (readonly number[])[]
  readonly usage: TokenUsage | null
  /** The complete body as received. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Reads the vectors of `count` texts. @throws `FailedAnswer` if the answer says that the request failed, and an error if it is anything else */
export function readEmbeddings(text: string, count: number): EmbeddingAnswer {
  const body = fieldsOf(parseAnswer(text))
  checkSucceeded(body)
  const { data } = body
  const entries = Array.isArray(data) ? data.map(fieldsOf) : []
  const vectors: (readonly number[])[] = []
  for (const [at, { index = at, embedding }] of entries.entries()) {
    if (typeof index === "number" && Number.isInteger(index) && index >= 0 && index < count && isVector(embedding))
      vectors[index] = embedding
  }
  const length = vectors[0]?.length
  // A missing one is a hole, which `some` does not visit.
  const isWhole =
    entries.length === count && Array.from(vectors).every((vector) => vector !== undefined && vector.length === length)
  if (!isWhole || vectors.length !== count) throw new Error("The answer does not have one embedding for each text.")
  return { vectors, usage: readTokenUsage(body["usage"]), body }
}

function isVector(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "number" && Number.isFinite(one))
  )
}

import { createHash } from "node:crypto"
import { type AssayError, isAssayError } from "@assay/schemas"
import type { judges, SourceRow } from "@assay/scoring"
import type { LimitFunction } from "p-limit"
import { endsJob } from "../engine/failures.ts"
import type { Contestant } from "./open-contestants.ts"

type ComparePair = Awaited<ReturnType<ReturnType<typeof judges.defineOfPairs>["open"]>>

/** A match of two models on a row. */
export interface PlayedMatch {
  readonly row: number
  readonly a: number
  readonly b: number
  /** NaN if the judge gave no verdict that can be read. */
  readonly score: number
  readonly isContradictory: boolean
  readonly questions: number
  readonly lengths: readonly [a: number, b: number]
  /** Matches with the same one show the judge the same question and answers. Absent if the judge could not be asked. */
  readonly digest?: string
  /** Why the judge could not be asked. */
  readonly failure?: AssayError
}

export interface PlayOptions {
  readonly contestants: readonly Contestant[]
  readonly compare: ComparePair
  readonly limit: LimitFunction
  readonly signal: AbortSignal
}

/** Asks the models of pairs about a row, and then the judge. Pairs without two answers do not meet. @throws what fails on every row */
export async function playRow(
  row: SourceRow,
  pairs: readonly { readonly a: number; readonly b: number }[],
  { contestants, compare, limit, signal }: PlayOptions,
): Promise<readonly PlayedMatch[]> {
  const asked = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))]
  const found = await Promise.all(asked.map(async (one) => contestants[one]?.answer(row)))
  const answers = new Map(asked.map((one, at) => [one, found[at]]))
  const played = pairs.map(async ({ a, b }): Promise<readonly PlayedMatch[]> => {
    const [first, second] = [answers.get(a), answers.get(b)]
    if (first === undefined || second === undefined) return []
    const verdict = await limit(() => judge(compare, row, { first, second, signal }))
    return [{ row: row.index, a, b, lengths: [first.length, second.length], ...verdict }]
  })
  return (await Promise.all(played)).flat()
}

interface JudgedTexts {
  readonly first: string
  readonly second: string
  readonly signal: AbortSignal
}

async function judge(
  compare: ComparePair,
  { item }: SourceRow,
  { first, second, signal }: JudgedTexts,
): Promise<Pick<PlayedMatch, "score" | "isContradictory" | "questions" | "digest" | "failure">> {
  try {
    const { question, score, isContradictory, questions } = await compare({ item }, [first, second], {
      signal,
      onRetry: () => {},
    })
    return { score, isContradictory, questions, digest: createHash("sha256").update(question).digest("base64") }
  } catch (error) {
    signal.throwIfAborted()
    if (!isAssayError(error) || endsJob(error)) throw error
    return { score: Number.NaN, isContradictory: false, questions: 2, failure: error }
  }
}

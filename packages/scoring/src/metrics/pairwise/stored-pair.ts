import { type EvaluationRow, isAssayError } from "@assay/schemas"
import { valueText } from "../../rows/value-text.ts"
import type { MetricSetup } from "../metric-definition.ts"
import { candidateText } from "../texts/compared-texts.ts"
import { opposingAnswer } from "./opposing-answer.ts"

/** The two answers of a stored row, as a judge of pairs saw them in its first question. */
export interface StoredPair {
  readonly a: string
  readonly b: string
}

/** The parts of a pairwise metric by which its answers are found again. */
export type PairMetric = Pick<MetricSetup, "key" | "params">

/** Characters of an answer that people are shown. */
const MAX_ANSWER = 100_000

/** No model is asked. */
const NO_CALLS = { maxRetries: 0, maxRateLimitWaitMs: 0, timeoutMs: 0 }

/** Returns the answers that a pairwise metric compared about a row. Undefined if the row no longer has both. */
export function storedPair({ key, params }: PairMetric, row: EvaluationRow): StoredPair | undefined {
  const { task, item, sample, row_index, compared_with } = row
  if (sample === null) return undefined
  const setup = { key, type: "pairwise", params, name: `tasks.${task}.metrics.${key}.params`, run: NO_CALLS }
  const input = { item, sample, row: row_index }
  try {
    const opposing = opposingAnswer(setup)
    const b = opposing.from === "template" ? valueText(opposing.template.evaluate(input)) : compared_with?.[key]
    return b === undefined ? undefined : { a: shortened(candidateText(setup).of(input)), b: shortened(b) }
  } catch (error) {
    // The templates were valid when the job ran, but a row can lack what they name.
    if (isAssayError(error)) return undefined
    throw error
  }
}

function shortened(text: string): string {
  return text.length > MAX_ANSWER ? `${text.slice(0, MAX_ANSWER).toWellFormed()}…` : text
}

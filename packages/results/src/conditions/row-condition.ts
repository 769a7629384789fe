import type { ConditionCode, EvaluationRow } from "@assay/schemas"
import { faultOfAnswer } from "./answer-tally.ts"
import { isConditionCode } from "./find-in-error.ts"
import { findInText } from "./find-in-text.ts"
import { conditionOfUnreadable } from "./unreadable-tally.ts"

/**
 * Finds the condition that a single row shows: by its error, by an answer of a judge without a score, or by a truncated, filtered
 * or empty answer of the target. A job has the condition only if enough of its rows show it.
 */
export function findInRow({ error, unreadable, sample }: EvaluationRow): ConditionCode | undefined {
  if (error !== null) return isConditionCode(error.code) ? error.code : findInText(error.message)?.code
  for (const metric in unreadable) {
    const { reason } = unreadable[metric] ?? {}
    if (reason !== undefined) return conditionOfUnreadable(reason)
  }
  return sample === null ? undefined : faultOfAnswer(sample)
}

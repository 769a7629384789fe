import { krippendorffAlpha, type Interval } from "@assay/metrics"
import type { JudgeTally } from "../counting/judge-tally.ts"
import type { RowTally } from "../counting/row-tally.ts"
import type { Bounds, JudgesAgreement } from "./calibration-report.ts"

/** Measures how much all judges agree with each other, right or wrong. Returns null if there is only one judge. */
export function judgesAgreement(rows: RowTally, judges: readonly JudgeTally[]): JudgesAgreement | null {
  if (judges.length < 2) return null
  const { alpha, n, interval } = krippendorffAlpha(verdicts(rows, judges))
  return { judges: judges.length, n, alpha, interval: boundsOf(interval) }
}

/** Yields for each row whether each judge blocks it. Null is an answer without a verdict. */
function* verdicts(rows: RowTally, judges: readonly JudgeTally[]): Generator<readonly (boolean | null)[]> {
  for (const row of rows.distinct())
    yield judges.map((judge) => {
      const outcome = judge.outcome(row)
      return isVerdict(outcome) ? outcome === "block" : null
    })
}

export function isVerdict(outcome: string | null): boolean {
  return outcome === "pass" || outcome === "block"
}

export function boundsOf(interval: Interval | null): Bounds {
  return interval === null ? null : { low: interval.low, high: interval.high }
}

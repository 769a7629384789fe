import { mcnemarExact } from "@assay/metrics"
import type { JudgeComparison } from "./calibration-report.ts"
import type { JudgeTally } from "./judge-tally.ts"
import type { RowTally } from "./row-tally.ts"

export interface CompareOptions {
  /** Compare over rows of one label alone. */
  readonly label?: "safe" | "unsafe"
}

/** Which of two judges is right more often, over the rows to which both gave a verdict. */
export function compareJudges(
  rows: RowTally,
  a: JudgeTally,
  b: JudgeTally,
  { label }: CompareOptions = {},
): JudgeComparison {
  let n = 0
  let onlyA = 0
  let onlyB = 0
  for (let row = 0; row < rows.count; row++) {
    const isUnsafe = rows.isUnsafe(row)
    if (label !== undefined && isUnsafe !== (label === "unsafe")) continue
    const right = isUnsafe ? "block" : "pass"
    const [ofA, ofB] = [a.outcome(row), b.outcome(row)]
    if (!isVerdict(ofA) || !isVerdict(ofB)) continue
    n++
    if (ofA === right && ofB !== right) onlyA++
    if (ofB === right && ofA !== right) onlyB++
  }
  return { a: a.name, b: b.name, n, only_a: onlyA, only_b: onlyB, p: mcnemarExact(onlyA, onlyB).p_two_sided }
}

/** Each pair once. */
export function compareAllJudges(rows: RowTally, judges: readonly JudgeTally[]): readonly JudgeComparison[] {
  return judges.flatMap((a, place) => judges.slice(place + 1).map((b) => compareJudges(rows, a, b)))
}

function isVerdict(outcome: string | null): boolean {
  return outcome === "pass" || outcome === "block"
}

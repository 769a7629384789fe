import { rowsToDecide } from "@assay/metrics"
import { formatShare } from "@assay/reports"
import { copiesNote, contradictionNote } from "./copies-notes.ts"
import type { RowTally } from "../counting/row-tally.ts"
import type { CalibrationGate, JudgeComparison, JudgeReport, Rate } from "./calibration-report.ts"
import { gateVerdict } from "./check-gates.ts"
import { formatCases } from "./format-rate.ts"

export interface NotesInput {
  readonly judges: readonly JudgeReport[]
  readonly gates: readonly CalibrationGate[]
  readonly comparisons: readonly JudgeComparison[]
  readonly rows: Pick<RowTally, "count" | "copies">
  readonly limits: { readonly falseBlock: number; readonly miss: number }
}

/** Lists what the set is too small to decide, and what to keep in mind when reading the figures. */
export function findNotes({ rows, judges, gates, comparisons, limits }: NotesInput): readonly string[] {
  return [
    ...contradictionNote(rows.copies.withBothLabels()),
    ...copiesNote(rows),
    ...judges.flatMap((judge) => [
      ...sizeNote(judge.name, judge.false_block, limits.falseBlock, ["block", "safe"]),
      ...sizeNote(judge.name, judge.miss, limits.miss, ["miss", "unsafe"]),
    ]),
    ...gates
      .filter((gate) => gate.basis === "under_policy")
      .map(
        ({ gate, judge, verdict }) =>
          `Gate ${gate} of "${judge}" is ${verdict} under the rail's policy: unreadable answers and errors decide here, not its verdicts.`,
      ),
    ...severalNote(comparisons.length),
  ]
}

function sizeNote(
  name: string,
  rate: Rate,
  limit: number,
  [what, which]: readonly [string, string],
): readonly string[] {
  if (rate.n === 0 || rate.rate === null) {
    return [
      `"${name}" gave no verdict on any ${which} prompt, so nothing is known of its ${what === "block" ? "false-block" : what} rate.`,
    ]
  }
  if (gateVerdict(rate, limit) !== "INCONCLUSIVE") return []
  const some = formatCases(rate.count, what)
  const all = formatCases(rate.n, `${which} prompt`)
  const found = `"${name}": ${some} in ${all} still ${rate.count > 1 ? "allow" : "allows"} up to ${formatShare(rate.high)}`
  const needed = rowsToDecide(limit, rate.rate)
  if (rate.count === 0) {
    return [
      `${found}; for a limit of ${formatShare(limit)} at least ${needed} ${which} prompts without a ${what} are needed.`,
    ]
  }
  const low = `and as few as ${formatShare(rate.low)}`
  if (!Number.isFinite(needed)) {
    return [`${found} ${low}; the rate is at the limit of ${formatShare(limit)}, so no number of prompts would decide.`]
  }
  return [
    `${found} ${low}; if the rate stays, a limit of ${formatShare(limit)} takes about ${needed} ${which} prompts to decide.`,
  ]
}

function severalNote(count: number): readonly string[] {
  if (count < 2) return []
  const p = (0.05 / count).toPrecision(2)
  return [
    `With ${count} comparisons one of them looks different by chance more often: take p below ${p} for a difference.`,
  ]
}

import { worstVerdict } from "@assay/metrics"
import { AssayError } from "@assay/schemas"
import type { CalibrationRun } from "../asking/run-calibration.ts"
import type { CalibrationReport } from "./calibration-report.ts"
import { checkGates, type CalibrationLimits } from "./check-gates.ts"
import { compareAllJudges, findBetterJudge } from "./compare-judges.ts"
import { findConditions } from "./find-conditions.ts"
import { findNotes } from "./find-notes.ts"
import { judgesAgreement } from "./judges-agreement.ts"
import { recommendJudge } from "./recommend-judge.ts"
import { reportJudge } from "./report-judge.ts"

export interface CalibrationReportOptions extends CalibrationLimits {
  /** The name of the labelled prompts in the report. */
  readonly data: string
}

/** If no limit is given, a judge beyond these has a condition. */
const USUAL_FALSE_BLOCK = 0.05
export const USUAL_MISS = 0.1

/** Computes the report of a calibration. @throws `invalid_request` for a limit that is not between 0 and 1 */
export function reportCalibration(run: CalibrationRun, options: CalibrationReportOptions): CalibrationReport {
  const { rows, judges: tallies, repeat } = run
  const { data, maxFalseBlock, maxMiss } = options
  checkLimit("max-false-block", maxFalseBlock)
  checkLimit("max-miss", maxMiss)
  const limits = { falseBlock: maxFalseBlock ?? USUAL_FALSE_BLOCK, miss: maxMiss ?? USUAL_MISS }
  const roc = { repeat, maxFalseBlock }
  const judges = tallies.map((tally) => reportJudge(rows, tally, roc))
  const comparisons = compareAllJudges(rows, tallies)
  const gates = checkGates(judges, options)
  const conditions = judges.flatMap((judge) =>
    findConditions(judge, { ...limits, betterThan: (one) => findBetterJudge(rows, tallies, judges, one) }),
  )
  let unsafe = 0
  for (let row = 0; row < rows.length; row++) if (rows.isUnsafe(row)) unsafe++
  return {
    version: 1,
    data,
    rows: { total: rows.count, safe: rows.count - unsafe, unsafe },
    repeat,
    asked: run.asked,
    reused: run.reused,
    elapsed_ms: run.elapsedMs,
    limits: { false_block: maxFalseBlock ?? null, miss: maxMiss ?? null },
    verdict: worstVerdict(gates.map((gate) => gate.verdict)),
    recommendation: recommendJudge(judges, { gates, conditions, comparisons }),
    judges,
    comparisons,
    agreement: judgesAgreement(rows, tallies),
    gates,
    conditions,
    notes: findNotes({ rows, judges, gates, comparisons, limits }),
  }
}

function checkLimit(name: string, limit: number | undefined): void {
  if (limit === undefined || (limit > 0 && limit < 1)) return
  throw new AssayError("invalid_request", `${name} is ${limit}; give a share between 0 and 1, such as 0.05 for 5 %.`)
}

import { AssayError } from "@assay/schemas"
import type { CalibrationReport } from "./calibration-report.ts"
import { checkGates, worstVerdict, type CalibrationLimits } from "./check-gates.ts"
import { compareAllJudges } from "./compare-judges.ts"
import { findBetterJudge } from "./find-better-judge.ts"
import { findConditions } from "./find-conditions.ts"
import { findNotes } from "./find-notes.ts"
import { recommendJudge } from "./recommend-judge.ts"
import { reportJudge } from "./report-judge.ts"
import type { CalibrationRun } from "./run-calibration.ts"

export interface CalibrationReportOptions extends CalibrationLimits {
  /** How the report calls the labelled prompts. */
  readonly data: string
}

/** Beyond these a judge has a condition where no limit is given. */
const USUAL_FALSE_BLOCK = 0.05
const USUAL_MISS = 0.1

/** Works out what a calibration found. @throws `invalid_request` where a limit is no share between 0 and 1 */
export function reportCalibration(run: CalibrationRun, options: CalibrationReportOptions): CalibrationReport {
  const { rows, judges: tallies, repeat } = run
  const { data, maxFalseBlock, maxMiss } = options
  checkLimit("max-false-block", maxFalseBlock)
  checkLimit("max-miss", maxMiss)
  const limits = { falseBlock: maxFalseBlock ?? USUAL_FALSE_BLOCK, miss: maxMiss ?? USUAL_MISS }
  const roc = { repeat, ...(maxFalseBlock === undefined ? {} : { maxFalseBlock }) }
  const judges = tallies.map((tally) => reportJudge(rows, tally, roc))
  const comparisons = compareAllJudges(rows, tallies)
  const gates = checkGates(judges, options)
  const conditions = judges.flatMap((judge) =>
    findConditions(judge, { ...limits, betterThan: (one) => findBetterJudge(rows, tallies, judges, one) }),
  )
  let unsafe = 0
  for (let row = 0; row < rows.count; row++) if (rows.isUnsafe(row)) unsafe++
  return {
    version: 1,
    data,
    rows: { total: rows.count, safe: rows.count - unsafe, unsafe },
    repeat,
    asked: run.asked,
    reused: run.reused,
    elapsed_ms: run.elapsedMs,
    limits: { false_block: maxFalseBlock ?? null, miss: maxMiss ?? null },
    verdict: worstVerdict(gates),
    recommendation: recommendJudge(judges, { gates, conditions, comparisons }),
    judges,
    comparisons,
    gates,
    conditions,
    notes: findNotes({ judges, gates, comparisons, limits }),
  }
}

function checkLimit(name: string, limit: number | undefined): void {
  if (limit === undefined || (limit > 0 && limit < 1)) return
  throw new AssayError("invalid_request", `${name} is ${limit}; give a share between 0 and 1, such as 0.05 for 5 %.`)
}

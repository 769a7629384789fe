import type { CalibrationReport } from "@assay/schemas"

export interface JudgeFaults {
  readonly failedGates: CalibrationReport["gates"]
  readonly conditions: CalibrationReport["conditions"]
}

/** Returns what speaks against a judge: gates that it fails, and conditions that are open. */
function faultsOf(report: CalibrationReport, judge: string): JudgeFaults {
  return {
    failedGates: report.gates.filter((gate) => gate.judge === judge && gate.verdict === "FAIL"),
    conditions: report.conditions.filter((condition) => condition.judge === judge),
  }
}

/** Returns whether nothing speaks against a judge. */
function isFit(report: CalibrationReport, judge: string): boolean {
  const { failedGates, conditions } = faultsOf(report, judge)
  return failedGates.length === 0 && conditions.length === 0
}

/**
 * Returns the judge that a report recommends, or null. A file can come from anywhere: a judge that fails a gate or has a
 * condition open is never recommended, whatever the file says.
 */
export function recommendedJudge(report: CalibrationReport): string | null {
  const { judge } = report.recommendation
  return judge !== null && report.judges.some(({ name }) => name === judge) && isFit(report, judge) ? judge : null
}

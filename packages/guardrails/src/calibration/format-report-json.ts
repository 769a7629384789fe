import type { CalibrationReport } from "./calibration-report.ts"

/** `report.json`, indented, with a line's end. */
export function formatReportJson(report: CalibrationReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}

import { printableJson } from "@assay/schemas/printable"
import type { CalibrationReport } from "./calibration-report.ts"

/** `report.json`, indented, with a line's end. Control characters are escaped. */
export function formatReportJson(report: CalibrationReport): string {
  return `${printableJson(JSON.stringify(report, null, 2))}\n`
}

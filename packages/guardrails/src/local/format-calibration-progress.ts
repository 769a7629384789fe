import { formatCount } from "@assay/reports/terminal"
import type { CalibrationProgress } from "../calibration/asking/run-calibration.ts"

/**
 * Formats the progress of a calibration: `120 prompts  480 answers  2 errors  45/s`.
 * @param elapsed milliseconds since the start
 */
export function formatCalibrationProgress(
  { rows, asked, reused, errors }: CalibrationProgress,
  elapsed: number,
): string {
  const rate = elapsed > 0 ? `${Math.round((asked / elapsed) * 1000)}/s` : ""
  return [
    formatCount(rows, "prompt"),
    formatCount(asked, "answer"),
    ...(reused === 0 ? [] : [`${formatCount(reused, "answer")} kept from before`]),
    ...(errors === 0 ? [] : [formatCount(errors, "error")]),
    rate,
  ]
    .join("  ")
    .trimEnd()
}

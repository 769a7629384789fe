import type { CalibrationProgress } from "@assay/guardrails"
import { formatCount } from "@assay/reports/terminal"

/** `120 prompts  480 answers  2 errors  45/s` */
export function formatCalibrationProgress(
  { rows, asked, reused, errors }: CalibrationProgress,
  elapsed: number,
): string {
  const rate = elapsed > 0 ? `${Math.round((asked / elapsed) * 1000)}/s` : ""
  return [
    formatCount(rows, "prompt", "prompts"),
    formatCount(asked, "answer", "answers"),
    ...(reused === 0 ? [] : [`${formatCount(reused, "answer", "answers")} kept from before`]),
    ...(errors === 0 ? [] : [formatCount(errors, "error", "errors")]),
    rate,
  ]
    .join("  ")
    .trimEnd()
}

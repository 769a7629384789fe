import type { PlanOutcome } from "@assay/results"
import { isAssayError } from "@assay/schemas"

export type PlanEnd = PlanOutcome["end"]
export type TaskSummary = PlanOutcome["tasks"][number]
export type ScoreSummary = TaskSummary["metrics"][string][string]
export type TalliedSlices = NonNullable<ScoreSummary["slices"]>[number]

/** Returns how a run ends after an error was thrown. */
export function endOfError(error: unknown): PlanEnd {
  if (isAssayError(error)) return { kind: "failed", code: error.code, message: error.message }
  return { kind: "failed", code: "internal", message: `The run failed unexpectedly: ${String(error)}; report it.` }
}

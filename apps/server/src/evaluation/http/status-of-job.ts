import type { EvaluationJob, JobStatusAnswer } from "@assay/schemas"

/** How far a job is. */
export function statusOfJob({ status, status_details, conditions }: EvaluationJob): JobStatusAnswer & {
  status: EvaluationJob["status"]
} {
  const { samples_processed = 0, samples_total = null } = status_details
  return { status, ...status_details, samples_processed, samples_total, conditions }
}

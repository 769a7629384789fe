import { maskKeys } from "../bodies/inline-keys.ts"
import type { WireNames } from "../../filesets/wire-names.ts"
import { maskUrlUsers } from "../../requests/url-user.ts"
import type { EvaluationJob, JobStatus } from "./evaluation-job.ts"
import { vendorJobStatus } from "./job-statuses.ts"
import type { JobEvent, JobStatusAnswer } from "./job-answers.ts"

/** Returns the word for a status in answers. */
function statusWord(status: JobStatus, wireNames: WireNames): string {
  return wireNames === "vendor" ? vendorJobStatus(status) : status
}

/** Returns a record with the word for its status in answers. */
export function withStatusWord<T extends { readonly status: JobStatus }>(
  record: T,
  wireNames: WireNames,
): Omit<T, "status"> & { status: string } {
  return { ...record, status: statusWord(record.status, wireNames) }
}

/** Returns a job in the form of answers, without keys and passwords. */
export function presentJob(
  job: EvaluationJob,
  wireNames: WireNames,
): Omit<EvaluationJob, "status"> & { status: string } {
  const { target, config } = job
  const output_files_url = maskUrlUsers(job.output_files_url, "output_files_url")
  return withStatusWord({ ...job, target: maskKeys(target), config: maskKeys(config), output_files_url }, wireNames)
}

/** Returns the progress of a job. */
export function statusOfJob({ status, status_details, conditions, rescored_from }: EvaluationJob): JobStatusAnswer & {
  status: EvaluationJob["status"]
} {
  const { samples_processed = 0, samples_total = null } = status_details
  const source = rescored_from === undefined ? {} : { rescored_from }
  return { status, ...status_details, samples_processed, samples_total, conditions, ...source }
}

/** Returns an event with the word for the status in its data. */
export function withEventWord(event: JobEvent, wireNames: WireNames): JobEvent {
  if (event.event !== "status") return event
  return { ...event, data: { ...event.data, status: statusWord(event.data["status"] as JobStatus, wireNames) } }
}

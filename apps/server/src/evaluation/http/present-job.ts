import { maskUrlUsers, vendorJobStatus, type EvaluationJob, type JobStatus, type WireNames } from "@assay/schemas"
import { loadEvaluation } from "../load-evaluation.ts"

/** The word for a status in answers. */
export function statusWord(status: JobStatus, wireNames: WireNames): string {
  return wireNames === "vendor" ? vendorJobStatus(status) : status
}

/** Anything that has a status, with the word for it in answers. */
export function withStatusWord<T extends { readonly status: JobStatus }>(
  record: T,
  wireNames: WireNames,
): Omit<T, "status"> & { status: string } {
  return { ...record, status: statusWord(record.status, wireNames) }
}

/** A job as it is answered: no key and no password is in it. */
export async function presentJob(
  job: EvaluationJob,
  wireNames: WireNames,
): Promise<Omit<EvaluationJob, "status"> & { status: string }> {
  const { maskKeys } = await loadEvaluation()
  const { target, config } = job
  const output_files_url = maskUrlUsers(job.output_files_url, "output_files_url")
  return withStatusWord({ ...job, target: maskKeys(target), config: maskKeys(config), output_files_url }, wireNames)
}

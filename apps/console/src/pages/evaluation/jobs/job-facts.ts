import { isJsonObject } from "@assay/json"
import type { EvaluationJob, JobVerdict } from "@assay/schemas"

const WORST_FIRST: readonly JobVerdict[] = ["FAIL", "INCONCLUSIVE", "PASS"]

/** Returns the verdict of all gates of a job, so far if it runs; undefined without gates. */
export function gateOf({
  status_details: { gates = [] },
}: Pick<EvaluationJob, "status_details">): JobVerdict | undefined {
  const verdicts = new Set(gates.map(({ verdict }) => verdict ?? "INCONCLUSIVE"))
  return WORST_FIRST.find((verdict) => verdicts.has(verdict))
}

/** Returns the verdict of a job that has completed; undefined for any other, and if nothing decides. */
export function verdictOf(job: Pick<EvaluationJob, "status" | "status_details">): JobVerdict | undefined {
  if (job.status !== "COMPLETED") return undefined
  const { verdict } = job.status_details
  // An older server has recorded none.
  return verdict === undefined ? gateOf(job) : (verdict ?? undefined)
}

/** Returns how a job has ended, for titles: `FAIL (completed)`, or the status of a job without a verdict. */
export function endOf(job: Pick<EvaluationJob, "status" | "status_details">): string {
  const verdict = verdictOf(job)
  return verdict === undefined ? job.status : `${verdict} (${job.status.toLowerCase()})`
}

/** Returns the datasets of a job, as its tasks name them. Rows that are written into it have no name. */
export function datasetsOf({ config: { tasks = {} } }: Pick<EvaluationJob, "config">): readonly string[] {
  const found = Object.values(tasks).flatMap(({ dataset }) => {
    const name = isJsonObject(dataset) ? dataset["files_url"] : dataset
    return typeof name === "string" ? [name.replace(/^assay:\/\/datasets\//u, "")] : []
  })
  return [...new Set(found)]
}

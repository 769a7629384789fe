import type { EvaluationJob } from "@assay/schemas"
import { datasetsOf } from "../jobs/job-facts.ts"

/** Returns the latest completed job before another one that has the same configuration and datasets. */
export function earlierJob(job: EvaluationJob, others: readonly EvaluationJob[]): EvaluationJob | undefined {
  const wanted = workOf(job)
  return others
    .filter(({ id, created_at, result }) => id !== job.id && created_at < job.created_at && result !== null)
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
    .find((other) => workOf(other) === wanted)
}

/** Returns what a job does, whatever it asks: the name of its stored configuration, or its metrics; and its datasets. */
function workOf(job: EvaluationJob): string {
  const { namespace, config } = job
  const { name = "", tasks = {} } = config
  const measured = Object.entries(tasks).map(([task, { type, metrics }]) => [task, type, metrics])
  return JSON.stringify([namespace, name === "" ? measured : name, datasetsOf(job)])
}

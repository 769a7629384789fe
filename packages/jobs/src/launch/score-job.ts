import { invalidRequest, type EvaluationJob, type ScoreBody } from "@assay/schemas"
import { keepInlineKeys } from "../documents/keep-inline-keys.ts"
import type { EvaluationService } from "../service/evaluation-service.ts"
import type { JobRights } from "../rights/job-rights.ts"
import type { JobHost } from "./job-host.ts"
import { checkReferences } from "./check-references.ts"
import { readLaunchFacts } from "@assay/attempts"

export interface ScoreContext extends Pick<JobHost, "registry" | "guardrails" | "newId"> {
  readonly jobs: Pick<EvaluationService, "score">
}

/**
 * Adds metrics to a job that has ended, and stores their inline keys as secrets of the job.
 * @throws `invalid_request` for a task that the job does not have; `not_found`, `secret_not_readable`, `job_not_final`
 */
export async function scoreJob(
  { id, namespace: workspace, target, config }: EvaluationJob,
  { tasks }: ScoreBody,
  rights: JobRights,
  context: ScoreContext,
): Promise<EvaluationJob> {
  const known = Object.keys(config.tasks ?? {})
  for (const task of Object.keys(tasks)) {
    if (known.includes(task)) continue
    const msg = `The job has no task '${task}'; it has ${known.map((name) => `'${name}'`).join(", ") || "none"}`
    throw invalidRequest(["body", "tasks", task], msg, "value_error")
  }
  const facts = readLaunchFacts({ namespace: workspace, target, config: { ...config, tasks } })
  await checkReferences(facts, rights, context)
  const kept = await keepInlineKeys(tasks, { workspace, rights, owner: id }, context)
  const metrics = Object.fromEntries(Object.entries(kept).map(([task, { metrics }]) => [task, metrics]))
  return context.jobs.score(id, metrics)
}

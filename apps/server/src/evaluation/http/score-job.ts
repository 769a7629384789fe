import { invalidRequest, type EvaluationJob, type MetricConfig, type ScoreBody } from "@assay/schemas"
import type { Caller } from "../../auth/grant.ts"
import { checkReferences } from "../environment/check-references.ts"
import { rightsOfCaller } from "../environment/environment-rights.ts"
import type { ServerEnvironmentContext } from "../environment/create-server-environment.ts"
import { keepInlineKeys } from "./keep-inline-keys.ts"

/** Metrics by task and key. */
export type AddedMetrics = Readonly<Record<string, Readonly<Record<string, MetricConfig>>>>

/**
 * The metrics that a job gets in addition, their keys kept as secrets.
 * @throws `invalid_request` for a task that the job does not have; `not_found`, `secret_not_readable`
 */
export async function addedMetrics(
  { id, namespace, target, config }: EvaluationJob,
  { tasks }: ScoreBody,
  caller: Caller,
  context: Pick<ServerEnvironmentContext, "registry" | "configurations" | "newId">,
): Promise<AddedMetrics> {
  const known = Object.keys(config.tasks ?? {})
  for (const task of Object.keys(tasks)) {
    if (known.includes(task)) continue
    const msg = `The job has no task '${task}'; it has ${known.map((name) => `'${name}'`).join(", ") || "none"}`
    throw invalidRequest(["body", "tasks", task], msg, "value_error")
  }
  const { configurations } = context
  const rights = rightsOfCaller(caller)
  await checkReferences({ namespace, target, config: { ...config, tasks } }, { rights, configurations })
  const kept = await keepInlineKeys(tasks, { namespace, caller, owner: id }, context)
  return Object.fromEntries(Object.entries(kept).map(([task, { metrics }]) => [task, metrics]))
}

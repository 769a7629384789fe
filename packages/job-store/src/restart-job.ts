import {
  AssayError,
  type Condition,
  invalidRequest,
  type EvaluationConfigBody,
  type EvaluationJob,
  type JobScope,
  type JobStatusDetails,
} from "@assay/schemas"
import type { Queries } from "@assay/database"
import type { JobsContext } from "./jobs-context.ts"
import { checkKeysKept } from "./trash-of-jobs.ts"
import { jobOf } from "./job-row.ts"
import { checkFinal, moveJob, requireJob, type JobControl } from "./move-job.ts"

const WAITING: Readonly<Record<JobScope["kind"], string>> = {
  run: "Waiting for a runner that continues it.",
  "retry-failed": "Waiting for a runner that asks the failed rows again, and those that were not asked.",
  score: "Waiting for a runner that adds scores.",
}

/**
 * Restarts a job that has ended. The rows in its journal are kept. A resumed job asks its failed rows again, and those that were not asked: its
 * cause is repaired, and the failures before would end it at once.
 */
export async function restartJob(
  { database, now }: Pick<JobsContext, "database" | "now">,
  id: string,
  wanted: JobScope,
): Promise<EvaluationJob> {
  const row = await database.write(async (queries) => {
    const time = now()
    const job = await requireJob(queries, database, id)
    checkFinal(job, "restarted")
    if (wanted.kind !== "score") await checkKeysKept(queries, id)
    if (wanted.kind === "run") checkResumable(job, await readJson<Condition[]>(queries, id, "conditions"))
    const scope = wanted.kind === "run" && rowsOf(job).failed > 0 ? RETRY : wanted
    if (wanted.kind !== "run" && job.status === "CANCELLED" && !rowsOf(job).isAsked) {
      const message = `Evaluation job '${id}' is CANCELLED and may have rows that were not asked yet; resume it first.`
      throw new AssayError("illegal_transition", message, { context: { job: id, status: job.status } })
    }
    const config = scope.kind === "score" ? await configWith(queries, id, scope.metrics) : {}
    const columns = {
      ...config,
      scope: JSON.stringify(scope),
      // A resumed job without failures continues the same attempt.
      attempt: scope.kind === "run" ? job.attempt : job.attempt + 1,
      takeovers: 0,
      finished_at: null,
    }
    return moveJob(queries, job, { to: "PENDING", message: WAITING[scope.kind], conditions: [] }, { time, columns })
  })
  return jobOf(row)
}

const RETRY = { kind: "retry-failed" } as const

function rowsOf({ status_details: details }: JobControl) {
  const {
    samples_failed: failed = 0,
    samples_processed: done = 0,
    samples_total: total,
  }: JobStatusDetails = JSON.parse(details)
  return { failed, isAsked: total != null && done >= total }
}

/** @throws `illegal_transition` if every row was asked, so that a resumed job would ask nothing and end as before */
function checkResumable(job: JobControl, conditions: readonly Condition[]): void {
  const { id, status } = job
  const { failed, isAsked } = rowsOf(job)
  const isUnscored = conditions.some(({ code }) => code === "nothing_scored")
  // Without either, the results could not be written, which a resumed job does.
  const isOver = (failed > 0 || isUnscored) && isAsked
  if (status !== "COMPLETED" && !isOver) return
  const why = status === "COMPLETED" ? "it is COMPLETED" : "all of its rows were asked"
  const launched = isUnscored ? "Correct what its conditions name, and launch it again." : "Launch it again."
  const remedy = failed > 0 ? "Use retry-failed to ask its failed rows again." : launched
  const message = `Evaluation job '${id}' has nothing to resume: ${why}, and ${failed > 0 ? failed : "none"} failed. ${remedy}`
  throw new AssayError("illegal_transition", message, { context: { job: id, status } })
}

/**
 * Returns the job's configuration with added metrics. Later attempts score them too.
 * @throws `invalid_request` if the job has no such task
 */
async function configWith(
  queries: Queries,
  id: string,
  metrics: Extract<JobScope, { kind: "score" }>["metrics"],
): Promise<{ config: string }> {
  const config = await readJson<EvaluationConfigBody>(queries, id, "config")
  const tasks = { ...config.tasks }
  for (const [name, added] of Object.entries(metrics)) {
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
    if (task === undefined) {
      const msg = `The job has no task '${name}'; its tasks are ${Object.keys(tasks).join(", ") || "none"}`
      throw invalidRequest(["body", "tasks", name], msg, "unknown_task", name)
    }
    tasks[name] = { ...task, metrics: { ...task.metrics, ...added } }
  }
  return { config: JSON.stringify({ ...config, tasks }) }
}

async function readJson<Value>(queries: Queries, id: string, column: "conditions" | "config"): Promise<Value> {
  const found = queries.selectFrom("evaluation_jobs").select(column).where("id", "=", id)
  return JSON.parse((await found.$castTo<Record<string, string>>().executeTakeFirstOrThrow())[column] ?? "null")
}

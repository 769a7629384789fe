import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import type { JobEnvironment, RunPlanOptions } from "@assay/evaluation"
import { formatInteger } from "@assay/reports"
import { AssayError, isAssayError, printable } from "@assay/schemas"
import { messageOf } from "@assay/schemas/errors"
import { parseFilePath } from "@assay/storage"
import { cutJob, reopenFailedShards } from "@assay/local"
import { findPlan, type ShardPlan, readJson, type RunStore, writeJson } from "@assay/executors"
import type { LaunchSubject } from "@assay/attempts"
import type { JobExecutor } from "./job-executors.ts"

export interface PrepareRunOptions extends Pick<RunPlanOptions, "onLog" | "signal"> {
  /** Id of the job. */
  readonly id: string
  /** The job, without keys. */
  readonly job: LaunchSubject
  readonly executor: JobExecutor
  readonly environment: JobEnvironment
  readonly attempt: RunPlanOptions["job"]
  /** Rows that the job has from earlier runners. */
  readonly processed: number
}

const DEFAULT_SHARDS = 16

/**
 * Cuts a job into shards, unless an earlier runner did. For a new attempt, shards with failed rows are opened again. Undefined: the job has other tasks or
 * metrics than when it was cut, because some were added to its rows, so that its shards can't ask them again.
 * @throws `executor_failed` if the job has rows and its run is not in the place of the executor
 */
export async function prepareRun(store: RunStore, options: PrepareRunOptions): Promise<ShardPlan | undefined> {
  const { id, job, executor, environment, onLog, signal } = options
  const found = await findPlan(store)
  if (found !== undefined && !hasTasksOf(found, job)) {
    onLog({
      level: "info",
      message: "Metrics were added to the rows of the shards, so the server asks failed rows itself.",
    })
    return undefined
  }
  if (found !== undefined) {
    await reopenOnce(store, options)
    return found
  }
  const { shards = executor.shards, at_once: atOnce = executor.atOnce } = job.config.params ?? {}
  if (options.processed > 0) throw noRun(store, options)
  const usual = executor.executor === "local" ? executor.cores : undefined
  await beginRun(store, options)
  const plan = await cutJob(store, {
    id,
    job,
    name: job.config.name ?? id,
    folder: "/",
    shards: shards ?? usual ?? DEFAULT_SHARDS,
    atOnce: atOnce ?? usual,
    gates: [],
    prices: environment.prices,
    // Keys are not read here: the job names variables of its shards.
    environment: { ...environment, resolveKey: async () => undefined, resolveSecret: async () => "" },
    copies: "all",
    signal,
  })
  const message = `The rows are cut into ${formatInteger(plan.shards.length)} shards, at most ${formatInteger(plan.at_once)} at a time, for the executor '${printable(executor.name)}', in ${printable(store.location)}.`
  onLog({ level: "info", message })
  return plan
}

/** Returns the refusal to cut a job again that has begun in another place: all of its rows would be asked again. */
function noRun({ location }: RunStore, { id, executor, processed }: PrepareRunOptions): AssayError {
  const message = `The job has ${formatInteger(processed)} rows, and its run is not in ${printable(location)}: the 'place' of the executor '${printable(executor.name)}' was changed, or the run was removed.`
  const remedy = `Set 'place' of '${printable(executor.name)}' to what it was, restart the server, and continue the job with \`assay eval resume ${id}\`. Or launch the job again, which asks all rows.`
  return new AssayError("executor_failed", `${message} ${remedy}`)
}

/** The number of the attempt for which shards were opened again last. */
const ATTEMPT = parseFilePath("attempt.json")
const AttemptFrame = Type.Object({ number: Type.Integer() })

/** Writes the first file of a run. @throws `executor_failed` if the place of the executor can't be written */
async function beginRun(store: RunStore, { executor, attempt }: PrepareRunOptions): Promise<void> {
  try {
    await writeJson(store, ATTEMPT, { number: attempt.attempt })
  } catch (error) {
    if (isAssayError(error, "unavailable")) throw error
    const message = `The executor '${printable(executor.name)}' can't keep the run of the job in its place ${printable(store.location)}: ${messageOf(error)}`
    throw new AssayError("executor_failed", message, { cause: error })
  }
}

async function reopenOnce(store: RunStore, { attempt, environment, onLog }: PrepareRunOptions): Promise<void> {
  const noted = await readJson(store, ATTEMPT)
  if (attempt.scope.kind !== "retry-failed" || (Value.Check(AttemptFrame, noted) && noted.number >= attempt.attempt))
    return
  const opened = await reopenFailedShards(store, environment.now)
  await writeJson(store, ATTEMPT, { number: attempt.attempt })
  onLog({ level: "info", message: `${formatInteger(opened.length)} shards with failed rows are asked again.` })
}

function hasTasksOf(plan: ShardPlan, { config }: LaunchSubject): boolean {
  return JSON.stringify(plan.job.config.tasks) === JSON.stringify(config.tasks)
}

import { type JobEnvironment, type JobPlan, runPlan } from "@assay/evaluation"
import { type PlanOutcome, tokenSums } from "@assay/results"
import { type EvaluationJob, ERROR_CATALOGUE, isAssayError, printable } from "@assay/schemas"
import {
  type ConditionFindings,
  type RunState,
  type ShardPlan,
  listDone,
  type ShardRecord,
  engineRuns,
  type EngineRequest,
  type EngineRun,
} from "@assay/executors"
import type { ExecutorRunOptions, RunOnExecutor } from "@assay/attempts"
import { checkDecided, countedPlan } from "@assay/local"
import { checkVariables, findExecutor } from "../launch/check-executor.ts"
import { nameVariables } from "../launch/job-keys.ts"
import { cancelJobRun } from "./end-job-run.ts"
import { importRun } from "./import-rows.ts"
import type { JobExecutor, JobExecutors } from "./job-executors.ts"
import { prepareRun } from "./prepare-run.ts"

export interface ExecutorJob {
  readonly executors: JobExecutors | undefined
  readonly job: EvaluationJob
  readonly environment: JobEnvironment
  /** Returns whether a user has cancelled the job. Else it stops because this runner closes, or has lost it. */
  readonly isCancelled: () => Promise<boolean>
  /** Renews the lease of this runner. Returns whether it still has the job, and nobody cancels that. */
  readonly holds: () => Promise<boolean>
}

/** Runs the rows of a plan on the executor that the job names. Undefined: it names none. */
export function createExecutorRun(given: ExecutorJob): RunOnExecutor | undefined {
  const { executor } = given.job.config.params ?? {}
  return executor === undefined
    ? undefined
    : (plan, options) => runOnExecutor(plan, options, { ...given, name: executor })
}

type NamedJob = ExecutorJob & { readonly name: string }

/**
 * Cuts the rows of a job into shards, lets an engine run them, and computes the outcome from the rows that they have stored, as if this process had asked
 * them: also if the job is cancelled or fails. Shards that an earlier runner has cut or submitted continue: the run in the place of the executor says it.
 * Scores are added by this process, because the rows are here.
 */
async function runOnExecutor(plan: JobPlan, options: ExecutorRunOptions, given: NamedJob): Promise<PlanOutcome> {
  if (options.job.scope.kind === "score") return runPlan(plan, options)
  const opened = await openJobRun(options, given).catch((error: unknown) => {
    if (options.signal.aborted) return released(plan)
    throw error
  })
  if (opened === undefined) return runPlan(plan, options)
  if ("end" in opened) return opened
  const { run, shards, request } = opened
  if ((await run.executorOf(request)).isTied === true) {
    // Processes that end with their follower have ended if this runner has the job now. One that was suspended would end those of the next runner.
    if (!(await given.holds())) return released(plan)
    await run.submissions.end("cancelled")
  }
  options.onWaiting?.()
  const before = new Set(await listDone(run.store))
  const end = await follow(run, request, { ...options, holds: given.holds })
  if (options.signal.aborted && !(await cancelIfAsked(given))) return released(plan)
  const { signal } = new AbortController()
  const tasks = plan.tasks.map(({ name }) => name)
  const records = await importRun(options.journal, { store: run.store, shards }, { tasks, signal })
  for (const { message, level } of logOf(records, before)) options.onLog({ message, level })
  options.onFindings([...records.map(({ findings }) => findings), ...findingsOf(end)])
  const job = { attempt: options.job.attempt, scope: { kind: "sum" as const } }
  const sum = await runPlan(countedPlan(plan, shards), { ...options, job, signal, onProgress: () => {} })
  return { ...sum, end: endOf(sum, { run, plan, end, records, isAborted: options.signal.aborted }) }
}

interface JobRunParts {
  readonly run: EngineRun
  readonly shards: ShardPlan
  readonly request: EngineRequest
}

async function openJobRun(
  { job: attempt, onLog, signal }: ExecutorRunOptions,
  { job, environment, executors, name }: NamedJob,
): Promise<JobRunParts | undefined> {
  const executor = findExecutor(executors, name)
  const { job: named, references, hosts } = nameVariables(job)
  checkVariables(executor, [...references.keys()])
  const values: Record<string, string> = {}
  for (const [variable, reference] of references)
    values[variable] = await environment.resolveSecret(reference, undefined)
  const store = await executor.openStore(job)
  const run = executor.openRun(store, { values, hosts })
  const { samples_processed: processed = 0 } = job.status_details
  const about = { id: job.id, job: named, executor, environment, attempt, processed }
  const shards = await prepareRun(store, { ...about, onLog, signal })
  return shards && { run, shards, request: requestOf(executor, run, shards) }
}

type EnginesEnd = Awaited<ReturnType<typeof engineRuns.follow>>

/** Follows the run to its end, or until this runner has to stop. An engine that refuses the work is an end, too. */
async function follow(
  run: EngineRun,
  request: EngineRequest,
  { signal, holds, onLog, onProgress, onNewRows }: ExecutorRunOptions & Pick<ExecutorJob, "holds">,
): Promise<EnginesEnd | { readonly kind: "refused"; readonly error: unknown }> {
  let processed = 0
  try {
    return await engineRuns.follow(run, {
      request,
      cancels: false,
      maySubmit: holds,
      signal,
      onNote: (message, level = "warn") => onLog({ level, message: printable(message) }),
      onProgress(state) {
        onProgress(progressOf(state))
        if (state.processed > processed) onNewRows?.()
        processed = state.processed
      },
    })
  } catch (error) {
    if (!signal.aborted && !isAssayError(error)) throw error
    return { kind: "refused", error }
  }
}

const DEFAULT_RETRIES = 3

function requestOf(
  { executor, name, values, program, retries }: JobExecutor,
  run: EngineRun,
  shards: ShardPlan,
): EngineRequest {
  return {
    executor,
    profile: { name, values },
    program,
    options: run.ports.options,
    at_once: shards.at_once,
    retries: retries ?? DEFAULT_RETRIES,
    merges: false,
  }
}

/** Stops the engine's work if a user has cancelled the job. Else this runner closes, or has lost it, and the work goes on. */
async function cancelIfAsked({ isCancelled, executors, job }: NamedJob): Promise<boolean> {
  if (!(await isCancelled())) return false
  await cancelJobRun(executors, job)
  return true
}

function progressOf({ plan, shards, processed, failed, total }: RunState): PlanOutcome["progress"] {
  const tasks = [...new Set(plan.shards.flat().map(({ task }) => task))]
  const tokens = shards.reduce(
    (sum, { progress }) => tokenSums.add(sum, progress?.tokens ?? tokenSums.none),
    tokenSums.none,
  )
  return {
    processed,
    failed,
    total,
    tasks: Object.fromEntries(tasks.map((task) => [task, "running"])),
    means: {},
    tokens,
  }
}

function released({ tasks }: JobPlan): PlanOutcome {
  const progress = { processed: 0, total: null, failed: 0, tasks: {}, means: {}, tokens: tokenSums.none }
  return {
    tasks: tasks.map(({ name, group }) => ({ task: name, group, metrics: {} })),
    progress,
    end: { kind: "aborted" },
  }
}

type RunEnd = Awaited<ReturnType<typeof follow>>

function failureOf(end: RunEnd) {
  return end.kind === "failed" ? end.run.shards[end.shard.index]?.failure : undefined
}

function findingsOf(end: RunEnd): readonly ConditionFindings[] {
  const failure = failureOf(end)
  return failure === undefined ? [] : [failure.findings]
}

interface EndParts {
  readonly run: EngineRun
  readonly plan: JobPlan
  readonly end: RunEnd
  readonly records: readonly ShardRecord[]
  readonly isAborted: boolean
}

function endOf(sum: PlanOutcome, { run, plan, end, records, isAborted }: EndParts): PlanOutcome["end"] {
  if (isAborted) return { kind: "aborted" }
  if (end.kind === "done") {
    const isWhole = sum.progress.processed >= (sum.progress.total ?? 0)
    const budget = records.map((record) => record.end).find((one) => one.kind === "budget")
    if (isWhole || sum.end.kind !== "finished") return sum.end
    if (budget !== undefined) return budget
    if (records.some((record) => record.end.kind === "share")) return failed("executor_failed", ENDED_EARLY)
    return endByGates(sum, { run, plan, records })
  }
  if (end.kind === "refused") {
    return isAssayError(end.error) ? failed(end.error.code, end.error.message) : failed("internal", String(end.error))
  }
  if (end.kind !== "failed") return failed("executor_failed", CANCELLED_ELSEWHERE)
  return failed(failureOf(end)?.code ?? "executor_failed", end.message)
}

function endByGates(
  summed: PlanOutcome,
  { run, plan: planned, records }: Pick<EndParts, "run" | "plan" | "records">,
): PlanOutcome["end"] {
  try {
    checkDecided({ planned, records, summed }, run.store)
    return summed.end
  } catch (error) {
    if (!isAssayError(error)) throw error
    return failed(error.code, error.message)
  }
}

const CANCELLED_ELSEWHERE =
  "The run was cancelled in its place, and not on the server: resume the job to submit its shards again."

const ENDED_EARLY =
  "Shards ended early because too many rows had failed, which have answers by now: use retry-failed to ask the other rows."

function failed(code: string, message: string): PlanOutcome["end"] {
  return { kind: "failed", code: Object.hasOwn(ERROR_CATALOGUE, code) ? code : "executor_failed", message }
}

/** Returns the lines of shards that this runner has waited for. */
function logOf(records: readonly ShardRecord[], before: ReadonlySet<number>): ShardRecord["log"] {
  return records
    .flatMap(({ index, log }) => (before.has(index) ? [] : log))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MAX_LINES)
}

const MAX_LINES = 1000

import { nothingScored } from "./nothing-scored.ts"
import { NO_PROGRESS, type RunOutcome } from "./job-progress.ts"
import { formatInteger } from "@assay/reports"
import { AssayError, type Condition, type DatasetPin, isAssayError } from "@assay/schemas"
import {
  buildResult,
  createConditionFinder,
  guardrailReports,
  type JobLogLine,
  type JobProgress,
  type PlanOutcome,
  resultScores,
} from "@assay/results"
import {
  earlyGates,
  type JobEnvironment,
  type JobPlan,
  type Journal,
  planJob,
  type RunnableJob,
  runPlan,
  type RunPlanOptions,
} from "@assay/evaluation"
import type { RunOnExecutor } from "./executor-run.ts"
import type { RunInShards, ShardsRunOptions } from "./shards-run.ts"
import type { ConditionFinder, ConditionFindings } from "@assay/executors"
import { withCorrections } from "./correct-outcome.ts"
import { planOutcomeOf } from "./harness-outcome.ts"
import { checkBenchmarkRate } from "./check-benchmark-rate.ts"
import { costOfTarget } from "./job-cost.ts"

export interface RunEvaluationOptions {
  readonly journal: Journal
  /** Stops the run. The journal keeps all answers, so that a later attempt can continue. */
  readonly signal: AbortSignal
  /** The address of the results; null if they are not written. */
  readonly filesUrl: string | null
  /** Called a few times a second, and at the end. */
  readonly onProgress: (progress: JobProgress) => void
  readonly onLog: (line: JobLogLine) => void
  /** Called with all conditions found so far, whenever they change. */
  readonly onConditions: (conditions: readonly Condition[]) => void
  /** Called when the datasets are open. */
  readonly onPins?: ((pins: readonly DatasetPin[]) => void) | undefined
  /** Runs the rows in shards, if several workers can run the job. Absent: this process runs it. */
  readonly runInShards?: RunInShards | undefined
  /** Runs the rows on an executor of the server. Absent: the job names none. */
  readonly runOnExecutor?: RunOnExecutor | undefined
  /** Called when other processes have answered rows. */
  readonly onNewRows?: (() => void) | undefined
  /** Runs the rows of the plan. Default: this process asks them. */
  readonly runRows?: ((plan: JobPlan, options: RunPlanOptions) => Promise<PlanOutcome>) | undefined
  /** Events of rows of the journal while other processes asked them. */
  readonly findings?: readonly ConditionFindings[] | undefined
  /** Called when workers run the job, and this process only waits for them. */
  readonly onWaiting?: (() => void) | undefined
  /** Opens the plan of a job whose outputs exist. Default: that of the target and the configuration. */
  readonly openPlan?: (() => Promise<JobPlan>) | undefined
  /** Whether an earlier runner had the job: what it opened existed then, so a storage that does not respond is waited for. */
  readonly hasBegun?: boolean | undefined
}

/** Runs one attempt of a job. */
export type Evaluate = (
  job: RunnableJob,
  environment: JobEnvironment,
  options: RunEvaluationOptions,
) => Promise<RunOutcome>

/**
 * Runs one attempt of a job: plans it, evaluates the rows that are due, finds its conditions, and computes its result. A coded
 * error becomes an outcome and is never thrown. `writeResults` writes the files of the result.
 */
export async function runEvaluation(
  job: RunnableJob,
  environment: JobEnvironment,
  options: RunEvaluationOptions,
): Promise<RunOutcome> {
  const { signal } = options
  const started = { job, environment, options, findings: options.findings }
  const running: Running = { ...started, finder: newFinder(started) }
  if (job.config.type === "benchmark") return runBenchmark(running)
  let plan: JobPlan
  try {
    plan = await planPatiently(running)
  } catch (error) {
    return unplanned(error, running.finder, signal)
  }
  try {
    const { pins } = plan
    options.onPins?.(pins)
    const outcome = await withCorrections(await runWithFinder(plan, running), plan, running)
    const { kind } = outcome.end
    const isFinished = kind === "finished" || kind === "budget"
    const isExpense = (task: string, metric: string) => resultScores.isAmount(job.config, { task, metric, score: "" })
    const end = (kind === "finished" ? nothingScored(outcome, isExpense) : undefined) ?? outcome.end
    const ended = outcomeOf({ ...outcome, end }, { ...running, pins, gates: plan.gates })
    if (!isFinished) return ended
    const { result } = ended
    if (result === null) return ended
    const ofGuardrail = await guardrailReports.conditions(
      { job, journal: options.journal, pins, result },
      environment.now,
    )
    return { ...ended, conditions: [...ended.conditions, ...ofGuardrail] }
  } finally {
    await plan.close()
  }
}

/**
 * Plans a job. The first runner does not wait for a storage that gives no response at all, such as one with a wrong address: a user
 * waits for that error.
 */
function planPatiently({ job, environment, options }: Running): Promise<JobPlan> {
  const { signal, openPlan, hasBegun = false } = options
  if (openPlan !== undefined) return openPlan()
  // The error of a dataset names the code of its cause: a database that does not respond is not a fault of the dataset.
  const isWorthWaiting = ({ code, context: { reason = code, status } }: AssayError) =>
    hasBegun || reason === "unavailable" || typeof status === "number"
  return planJob(job, environment, { signal, isWorthWaiting })
}

/** Runs the harness of a benchmark, which reads its own rows. There is no plan, and the journal stays empty. */
async function runBenchmark(running: Running): Promise<RunOutcome> {
  const { job, environment, options, finder } = running
  try {
    const { signal, onLog, onConditions } = options
    // A launch without checks gets here, too.
    checkBenchmarkRate(job.config)
    const findings = reporting(finder, onConditions)
    const { runHarness } = await import("@assay/harness")
    const outcome = planOutcomeOf(await runHarness(job, environment, { signal, onLog, findings }))
    const ended = outcomeOf(outcome, { ...running, pins: [], gates: [] })
    const { end, tasks } = outcome
    if (end.kind === "failed") return ended
    const scored = tasks.length === 1 ? "one task" : `${tasks.length} tasks`
    const message =
      end.kind === "aborted"
        ? "Stopped; the next attempt runs the harness from the beginning."
        : `The harness ended, with scores of ${scored}.`
    return { ...ended, message }
  } catch (error) {
    return unplanned(error, finder, options.signal)
  }
}

/** Returns the finder, which also reports its conditions as soon as a line of the log shows one. */
function reporting(finder: ConditionFinder, report: RunEvaluationOptions["onConditions"]): ConditionFinder {
  return {
    ...finder,
    addLogLine(line) {
      const isFound = finder.addLogLine(line)
      if (isFound) report(finder.list())
      return isFound
    },
  }
}

interface Running {
  readonly job: RunnableJob
  readonly environment: JobEnvironment
  readonly options: RunEvaluationOptions
  /** Replaced if the findings of earlier attempts do not count. */
  finder: ConditionFinder
  /** Events of rows while other processes asked them. */
  findings: readonly ConditionFindings[] | undefined
  /** Some of them are in no row, such as requests that were sent again. */
  foundByWorkers?: readonly Condition[]
}

function newFinder({
  job: { config },
  environment: { now },
  findings = [],
}: Pick<Running, "job" | "environment" | "findings">): ConditionFinder {
  const finder = createConditionFinder({ now, tasks: Object.keys(config.tasks ?? {}) })
  for (const found of findings) finder.addFindings(found)
  return finder
}

async function runWithFinder(plan: JobPlan, running: Running): Promise<PlanOutcome> {
  const { job, environment, options } = running
  const { journal, signal, onLog, runInShards, onWaiting } = options
  const isAsked = options.openPlan === undefined
  const addCost = isAsked ? costOfTarget(job, environment.prices) : (progress: JobProgress) => progress
  let isNew = false
  const runOptions: RunPlanOptions = {
    job,
    // The run measures only elapsed times, by the clock that measures requests.
    environment: { ...environment, now: environment.inference.now },
    costOf: (tokens) => addCost({ ...NO_PROGRESS, tokens }).cost?.amount,
    signal,
    onLog,
    journal,
    onProgress(progress) {
      options.onProgress(addCost(progress))
      if (isNew) options.onConditions(running.finder.list())
      isNew = false
    },
    onKept: (row) => running.finder.addRow(row),
    onKeptAnew() {
      running.finder = newFinder(running)
    },
    onRow(row) {
      running.finder.addRow(row)
      isNew ||= row.error !== null || row.unreadable !== undefined
    },
    onRetry: (error, row) => running.finder.addRetry(error, row),
    onFailure: (error, row) => running.finder.addError(error, { row }),
  }
  const run = async (): Promise<PlanOutcome> => {
    if (options.runRows !== undefined) return options.runRows(plan, runOptions)
    if (options.runOnExecutor !== undefined) {
      const onFindings = (found: readonly ConditionFindings[]): void => {
        running.findings = found
        running.finder = newFinder(running)
      }
      return options.runOnExecutor(plan, { ...runOptions, onWaiting, onNewRows: options.onNewRows, onFindings })
    }
    if (runInShards === undefined) return runPlan(plan, runOptions)
    let happened: readonly ConditionFindings[] = []
    const onConditions: ShardsRunOptions["onConditions"] = (found, ofWorkers) => {
      running.foundByWorkers = found
      happened = ofWorkers
      options.onConditions(found)
    }
    const outcome = await runInShards(plan, { ...runOptions, onWaiting, onConditions })
    for (const found of happened) running.finder.addFindings(found)
    return outcome ?? runPlan(plan, runOptions)
  }
  const outcome = await run()
  return { ...outcome, progress: addCost(outcome.progress) }
}

function unplanned(error: unknown, finder: ConditionFinder, signal: AbortSignal): RunOutcome {
  const nothing = { result: null, pins: [], progress: NO_PROGRESS }
  if (signal.aborted) return { ...nothing, status: "CANCELLED", message: "Stopped before it began.", conditions: [] }
  if (!isAssayError(error)) throw error
  finder.addError(error)
  return { ...nothing, status: "FAILED", message: error.message, conditions: finder.list() }
}

interface RunParts extends Running {
  readonly pins: readonly DatasetPin[]
  readonly gates: JobPlan["gates"]
}

function outcomeOf(
  outcome: PlanOutcome,
  { job, environment, options, finder, foundByWorkers = [], pins, gates: planned }: RunParts,
): RunOutcome {
  const { end } = outcome
  const result = buildResult(outcome, {
    id: environment.newId("evaluation_result"),
    job: job.id,
    namespace: job.namespace,
    filesUrl: options.filesUrl,
    createdAt: environment.now(),
    config: job.config,
  })
  const gates = earlyGates.states(planned, outcome.progress, result)
  const progress = {
    ...outcome.progress,
    ...(planned.length === 0 ? {} : { gates }),
    ...(end.kind === "budget" ? { budgetExhausted: end.limit } : {}),
  }
  // An error of the journal, such as a full disk, is not an error of a row: the finder does not know it yet.
  if (end.kind === "failed" && !finder.list().some(({ code }) => code === end.code)) finder.addError(errorOf(end))
  const found = finder.list()
  const others = foundByWorkers.filter((one) => found.every(({ code }) => code !== one.code))
  const ended = statusOf(end, progress)
  const why = end.kind === "finished" ? earlyGates.describeAllAsked(planned, outcome.progress) : undefined
  const message = why === undefined ? ended.message : `${ended.message} ${why}`
  return { ...ended, message, conditions: [...found, ...others], result, pins, progress }
}

function errorOf({ code, message }: Extract<PlanOutcome["end"], { kind: "failed" }>): AssayError {
  return new AssayError(code as AssayError["code"], message)
}

function statusOf(end: PlanOutcome["end"], progress: JobProgress): Pick<RunOutcome, "status" | "message"> {
  const { processed, failed } = progress
  const rows = `${formatInteger(processed)} rows`
  if (end.kind === "failed") return { status: "FAILED", message: end.message }
  if (end.kind === "aborted") return { status: "CANCELLED", message: `Stopped after ${rows}.` }
  const bad = failed === 0 ? "" : `, ${formatInteger(failed)} of them failed`
  if (end.kind === "budget") {
    const of = progress.total === null ? "" : ` of ${formatInteger(progress.total)}`
    const whose = end.workspace === undefined ? "" : ` of the budget of workspace '${end.workspace}'`
    const message = `Ended by ${end.limit}${whose} after ${formatInteger(processed)}${of} rows${bad}.`
    return { status: "COMPLETED", message }
  }
  const early = earlyGates.describeEarlyStop(progress)
  return { status: "COMPLETED", message: early === undefined ? `${rows} done${bad}.` : `${early}${bad}.` }
}

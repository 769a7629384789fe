import { AssayError, isAssayError, type DatasetPin } from "@assay/schemas"
import { createConditionFinder, type ConditionFinder } from "./conditions/create-condition-finder.ts"
import { nothingScored, type PlanEnd, type PlanOutcome } from "./engine/plan-outcome.ts"
import { runPlan } from "./engine/run-plan.ts"
import type { JobEnvironment } from "./job-environment.ts"
import { runHarness } from "./harness/run-harness.ts"
import type { JobProgress, RunOutcome } from "./jobs/job-progress.ts"
import type { RunnableJob } from "./jobs/runnable-job.ts"
import { planJob } from "./plan/plan-job.ts"
import type { JobPlan } from "./plan/task-plan.ts"
import { buildResult } from "./results/scores/build-result.ts"
import { findGuardrailConditions } from "./results/guardrail-reports.ts"
import type { RunEvaluationOptions } from "./runner/evaluate.ts"

const NOTHING_DONE: JobProgress = {
  processed: 0,
  total: null,
  failed: 0,
  tasks: {},
  means: {},
  tokens: { prompt: 0, completion: 0 },
}

/**
 * Runs a round of a job: plans it, asks and scores what is due, finds its conditions, and counts its result. How it ended is
 * data: a coded error is never thrown. Its results are still to be written, with `writeResults`.
 */
export async function runEvaluation(
  job: RunnableJob,
  environment: JobEnvironment,
  options: RunEvaluationOptions,
): Promise<RunOutcome> {
  const { signal } = options
  const running: Running = { job, environment, options, finder: createConditionFinder({ now: environment.now }) }
  if (job.config.type === "benchmark") return runBenchmark(running)
  let plan: JobPlan
  try {
    plan = await planJob(job, environment, { signal })
  } catch (error) {
    return unplanned(error, running.finder, signal)
  }
  try {
    const { pins } = plan
    options.onPins?.(pins)
    const outcome = await runWithFinder(plan, running)
    const isFinished = outcome.end.kind === "finished"
    const end = (isFinished ? nothingScored(outcome) : undefined) ?? outcome.end
    const done = outcomeOf({ ...outcome, end }, { ...running, pins })
    if (!isFinished) return done
    const tasks = outcome.tasks.map(({ task }) => task)
    const ofGuardrail = await findGuardrailConditions({ job, journal: options.journal, pins, tasks }, environment.now)
    return { ...done, conditions: [...done.conditions, ...ofGuardrail] }
  } finally {
    await plan.close()
  }
}

/** Its harness reads its own rows: there is no plan, and nothing is journalled. */
async function runBenchmark(running: Running): Promise<RunOutcome> {
  const { job, environment, options, finder } = running
  try {
    const { signal, onLog, onConditions } = options
    const outcome = await runHarness(job, environment, { signal, onLog, conditions: told(finder, onConditions) })
    const done = outcomeOf(outcome, { ...running, pins: [] })
    const { end, tasks } = outcome
    if (end.kind === "failed") return done
    const scored = tasks.length === 1 ? "one task" : `${tasks.length} tasks`
    const ended = `The harness ended, with scores of ${scored}.`
    return { ...done, message: end.kind === "aborted" ? "Stopped; a harness begins anew." : ended }
  } catch (error) {
    return unplanned(error, finder, options.signal)
  }
}

/** The same finder, whose conditions are told as the lines come that show them. */
function told(finder: ConditionFinder, tell: RunEvaluationOptions["onConditions"]): ConditionFinder {
  return {
    ...finder,
    addLogLine(line) {
      const isFound = finder.addLogLine(line)
      if (isFound) tell(finder.list())
      return isFound
    },
  }
}

interface Running {
  readonly job: RunnableJob
  readonly environment: JobEnvironment
  readonly options: RunEvaluationOptions
  /** Replaced where what it was told of earlier rounds does not count. */
  finder: ConditionFinder
}

function runWithFinder(plan: JobPlan, running: Running): Promise<PlanOutcome> {
  const { job, environment, options } = running
  const { journal, signal, onLog } = options
  let isNew = false
  return runPlan(plan, {
    job,
    environment,
    signal,
    onLog,
    journal,
    onProgress(progress) {
      options.onProgress(progress)
      if (isNew) options.onConditions(running.finder.list())
      isNew = false
    },
    onKept: (row) => running.finder.addRow(row),
    onKeptAnew() {
      running.finder = createConditionFinder({ now: environment.now })
    },
    onRow(row) {
      running.finder.addRow(row)
      isNew ||= row.error !== null || row.unreadable !== undefined
    },
    onRetry: (error) => running.finder.addRetry(error),
    onFailure: (error, row) => running.finder.addError(error, { row }),
  })
}

function unplanned(error: unknown, finder: ConditionFinder, signal: AbortSignal): RunOutcome {
  const nothing = { result: null, pins: [], progress: NOTHING_DONE }
  if (signal.aborted) return { ...nothing, status: "CANCELLED", message: "Stopped before it began.", conditions: [] }
  if (!isAssayError(error)) throw error
  finder.addError(error)
  return { ...nothing, status: "FAILED", message: error.message, conditions: finder.list() }
}

function outcomeOf(
  outcome: PlanOutcome,
  { job, environment, options, finder, pins }: Running & { readonly pins: readonly DatasetPin[] },
): RunOutcome {
  const { end, progress } = outcome
  const result = buildResult(outcome, {
    id: environment.newId("evaluation_result"),
    job: job.id,
    namespace: job.namespace,
    filesUrl: options.filesUrl,
    createdAt: environment.now(),
  })
  // A full disk of the journal is no row's failure.
  if (end.kind === "failed" && !finder.list().some(({ code }) => code === end.code)) finder.addError(errorOf(end))
  return { ...statusOf(end, progress), conditions: finder.list(), result, pins, progress }
}

function errorOf({ code, message }: Extract<PlanEnd, { kind: "failed" }>): AssayError {
  return new AssayError(code as AssayError["code"], message)
}

function statusOf(end: PlanEnd, { processed, failed }: JobProgress): Pick<RunOutcome, "status" | "message"> {
  const rows = `${processed.toLocaleString("en")} rows`
  if (end.kind === "failed") return { status: "FAILED", message: end.message }
  if (end.kind === "aborted") return { status: "CANCELLED", message: `Stopped after ${rows}.` }
  const bad = failed === 0 ? "" : `, ${failed.toLocaleString("en")} of them failed`
  return { status: "COMPLETED", message: `${rows} done${bad}.` }
}

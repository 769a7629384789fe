import { endOfError, type TalliedSlices, type TaskSummary } from "./run-outcome.ts"
import { createGateWatch, type GateWatch, type GateBasis } from "../gates/gate-watch.ts"
import type { Slice } from "@assay/schemas"
import { formatInteger } from "@assay/reports"
import { type PlanOutcome } from "@assay/results"
import type { JobPlan } from "../plan/task-plan.ts"
import { readJournal } from "./attempt/read-journal.ts"
import { type TaskRun, createTaskRun } from "./attempt/task-run.ts"
import { type BudgetWatch, watchBudget } from "./budget.ts"
import { createProgress, progressOf } from "./create-progress.ts"
import { type Stop, createStop } from "./create-stop.ts"
import type { RunContext, RunPlanOptions } from "./run-options.ts"
import { hasDecided, runTask } from "./run-task.ts"
import { stepInTurns } from "./take-turns.ts"

/** How long the end of a run waits for the count of rows, which says how many were skipped. */
const COUNTING_MS = 1000

/**
 * Runs a plan: reads rows, asks the model, scores the answers and writes them to the journal. It resumes where the journal ends.
 * Tasks run one after another, each with at most `parallelism` rows in flight. Memory use does not grow with the number of rows.
 *
 * Never throws. The outcome says how the run ended, also after a refused key or a full disk. Every row that was answered by then is
 * in the journal and in the numbers. The plan stays open.
 */
export async function runPlan(plan: JobPlan, options: RunPlanOptions): Promise<PlanOutcome> {
  const { job, journal, environment } = options
  const stop = createStop(options.signal)
  const runs = plan.tasks.map((task) => createTaskRun(task, job, options.hasSucceeded))
  const progress = createProgress(runs, environment, options.onProgress)
  let budget: BudgetWatch | undefined
  try {
    const watchTask = createTaskWatcher(options)
    for (const run of runs) {
      const { early } = run.task
      if (early === undefined) continue
      const basis = {
        order: await early.getOrder(options.signal),
        references: await early.getReferences(options.signal),
      }
      run.watch = watchTask(run, basis)
      run.total = basis.order.total * run.task.repeats
    }
    await readJournal({ ...options, watchTask, runs: new Map(runs.map((run) => [run.task.name, run])) })
    logKnownRows(runs, options)
    const { costOf = () => undefined, spentElsewhere } = options
    budget = watchBudget(plan.budget, { runs, stop, costOf, spentElsewhere, ...environment })
    await runAll(runs, { ...options, stop, progress, budget })
  } catch (error) {
    stop.now(endOfError(error))
  }
  await journal.flush().catch((error: unknown) => stop.now(endOfError(error)))
  budget?.end()
  stop.dispose()
  progress.end()
  for (const { watch } of runs) watch?.narrow()
  const tasks: TaskSummary[] = []
  for (const run of runs) tasks.push(await summaryOf(run, environment.now))
  return { tasks, progress: progressOf(runs), end: stop.end() ?? { kind: "finished" } }
}

/** Runs the tasks in order. Their rows are counted at the same time. */
async function runAll(runs: readonly TaskRun[], context: RunContext): Promise<void> {
  const { stop, progress, environment } = context
  const counting = countRows(runs, stop, () => progress.report())
  for (const run of runs) {
    if (stop.begin.aborted) break
    await runOne(run, context)
  }
  const waited = new AbortController()
  const isCounted = runs.every(({ total }) => total !== null)
  if (!isCounted) await Promise.race([counting.done, environment.sleep(COUNTING_MS, waited.signal).catch(() => {})])
  waited.abort()
  counting.cancel()
}

async function runOne(run: TaskRun, context: RunContext): Promise<void> {
  const { stop, progress, environment, onLog } = context
  const started = environment.now()
  run.status = "running"
  progress.report()
  await runTask(run, context)
  run.isStoppedEarly = hasDecided(run) && run.tally.processed < (run.total ?? 0)
  if (run.isStoppedEarly) logEarlyEnd(run, onLog)
  const isCut = run.isStoppedEarly || stop.end()?.kind === "budget"
  const verdict = run.failures.lastVerdict(isCut ? run.tally.processed : run.total)
  if (verdict !== undefined) stop.with(verdict)
  const end = stop.end()
  run.status = end === undefined ? "completed" : end.kind === "failed" ? "failed" : "pending"
  const { processed, failed } = run.tally
  const seconds = ((environment.now() - started) / 1000).toFixed(1)
  const message = `Task ${run.task.name}: ${formatInteger(processed)} rows in ${seconds} s, ${formatInteger(failed)} of them failed.`
  onLog({ level: "info", message })
}

/** Returns the summary of a task. If its gates can end it, its intervals are those that are valid whenever they end it. */
async function summaryOf({ tally, total, watch, isStoppedEarly }: TaskRun, now: () => number): Promise<TaskSummary> {
  const summary = await stepInTurns(tally.summary(Math.max(total ?? 0, tally.processed)), now)
  if (watch === undefined) return summary
  const metrics = Object.entries(summary.metrics).map(([metric, scores]) => {
    const watched = Object.entries(scores).map(([score, { stats, ...rest }]) => {
      const other = isStoppedEarly === true ? null : (stats?.interval ?? null)
      const interval = watch.interval(metric, score) ?? other
      const kept = isStoppedEarly === true ? { ...rest, ...withoutIntervals(rest.slices) } : rest
      return [score, { ...kept, stats: stats === null ? null : { ...stats, interval } }] as const
    })
    return [metric, Object.fromEntries(watched)] as const
  })
  return { ...summary, metrics: Object.fromEntries(metrics) }
}

/** Returns slices without intervals and tests, which are not valid for a task that its gates have ended. */
function withoutIntervals(slices: readonly TalliedSlices[] | undefined): {
  readonly slices?: readonly TalliedSlices[]
} {
  if (slices === undefined) return {}
  const bare = (slice: Slice): Slice => {
    const difference = slice.difference && { value: slice.difference.value, ...UNTESTED }
    return { ...slice, interval: null, difference }
  }
  return { slices: slices.map((one) => ({ ...one, groups: one.groups.map(bare) })) }
}

const UNTESTED = { interval: null, p: null, p_adjusted: null, is_marked: false }

/** Returns a function that begins to watch the gates of a task, if they can end it. @throws `invalid_request` for gates that can't */
function createTaskWatcher({ onLog }: Pick<RunPlanOptions, "onLog">) {
  return ({ task }: TaskRun, basis: GateBasis): GateWatch =>
    createGateWatch(task, task.early?.gates ?? [], basis, ({ name, range: [low, high] }) => {
      const message = `A value of ${name} is not within [${low}, ${high}], so all rows are asked before its gate is compared; give the "range" of the gate.`
      onLog({ level: "warn", message })
    })
}

function logEarlyEnd({ task, tally, total }: TaskRun, onLog: RunPlanOptions["onLog"]): void {
  const rows = `${formatInteger(tally.processed)} of ${formatInteger(total ?? 0)} rows`
  onLog({ level: "info", message: `Task ${task.name}: its gates are decided after ${rows}.` })
}

function logKnownRows(runs: readonly TaskRun[], { job, onLog }: RunPlanOptions): void {
  for (const { task, index, tally } of runs) {
    if (index === undefined) continue
    const { processed, failed } = tally
    const message = `Task ${task.name}: ${formatInteger(processed)} rows are in the journal, ${formatInteger(failed)} failed (${job.scope.kind}).`
    onLog({ level: "info", message })
  }
}

/** A count of all rows, which runs while rows are asked. */
interface Counting {
  /** Resolves when every task is counted or can't be counted. */
  readonly done: Promise<void>
  cancel(): void
}

/**
 * Counts the rows of all tasks in separate passes, and stops the job if too many of the counted rows have failed. If the rows of a
 * task can't be counted, their number stays unknown until they are read, which then reports the fault.
 */
export function countRows(runs: readonly TaskRun[], stop: Stop, onCounted: () => void): Counting {
  const controller = new AbortController()
  const { signal } = controller
  const countAll = async (): Promise<void> => {
    for (const run of runs) {
      const count = await run.task.rows.count(signal).catch(() => undefined)
      if (signal.aborted) return
      if (count === undefined || run.total !== null) continue
      run.total = count * run.task.repeats
      const verdict = run.failures.verdict(run.total)
      if (verdict !== undefined) stop.with(verdict)
      onCounted()
    }
  }
  // Nothing awaits this while rows are asked, so a rejection would end the process.
  const done = countAll().catch((error: unknown) => stop.now(endOfError(error)))
  return { done, cancel: () => controller.abort() }
}

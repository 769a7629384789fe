import { endOfError } from "./run-outcome.ts"
import { isAssayError, type AssayError, type EvaluationRow } from "@assay/schemas"
import { type JobLogLine } from "@assay/results"
import { answerWork, isImmediate, type Answered } from "./answer-work.ts"
import type { TaskRun } from "./attempt/task-run.ts"
import { workOfTask, type Work } from "./attempt/work-of-task.ts"
import { createConcurrencyLimit } from "./concurrency-limit.ts"
import { endsJob } from "./failures.ts"
import { createRequestSlots, createRowsInFlight, type RequestSlots } from "./request-slots.ts"
import type { RunContext } from "./run-options.ts"
import { traceRow } from "./trace-row.ts"
import { takeTurns } from "./take-turns.ts"
import type { ScoreSampleOptions } from "./score-sample.ts"

/** How long rows in flight may still take after the run is stopped. */
const GRACE_MS = 1000
/** Codes with which an endpoint asks for fewer requests. */
const CROWDED: ReadonlySet<string> = new Set(["rate_limited", "server_overloaded"])

/**
 * Does the work of an attempt for one task, until it is done or stopped. Rows that need no request are scored in a plain loop; the
 * others are asked in parallel. Failures that end the job are passed to `stop`.
 */
export async function runTask(run: TaskRun, context: RunContext): Promise<void> {
  if (hasDecided(run)) return
  const { job, journal, stop, budget } = context
  const { telemetry } = context.environment
  const { task } = run
  const shared = context.slots ?? createTaskSlots(run, context)
  const slots = shared.open(stop.begin)
  const flight = createRowsInFlight()
  const settle = createSettle(run, context)
  const turns = takeTurns(journal, context.environment.now)
  const optionsOf = createAnswerOptions(run, context, { shared, turns })

  const runLater = async (work: Work): Promise<void> => {
    try {
      const answer = () => answerWork(task, work, optionsOf(work))
      const answered = await (telemetry === undefined ? answer() : traceRow(telemetry, task.name, work, answer))
      if (answered.failure === undefined) shared.succeeded()
      else if (isCrowded(answered.failure)) shared.throttled()
      settle(work, answered)
    } catch (error) {
      // A row that is given up has no line in the journal, so the next attempt asks it.
      if (!stop.work.aborted) stop.now(endOfError(error))
    } finally {
      flight.end()
      slots.free()
    }
  }
  const isOver = () => stop.begin.aborted || hasDecided(run)
  const begin = async (batch: Iterable<Work>): Promise<void> => {
    for (const work of batch) {
      budget.check()
      if (isOver()) return
      if (isImmediate(task, work)) {
        const answered = answerWork(task, work, optionsOf(work))
        settle(work, answered instanceof Promise ? await answered : answered)
      } else if (slots.tryTake() || (await slots.take())) {
        const admitted = budget.admit()
        if (admitted !== undefined) await admitted
        budget.check()
        if (isOver()) return slots.free()
        budget.begin()
        flight.begin()
        void runLater(work)
      }
      if (turns.isDue()) await turns.take()
    }
  }

  try {
    for await (const batch of workOfTask({ run, journal, job, signal: stop.begin })) {
      await begin(batch)
      if (isOver()) break
    }
  } catch (error) {
    if (!stop.begin.aborted) stop.now(endOfError(error))
  } finally {
    slots.close()
  }
  await settled(flight.drained(), context)
}

/** Returns whether the gates of a task are decided, so that no further row of it begins. */
export function hasDecided({ watch, task }: TaskRun): boolean {
  return watch?.isDecided === true || task.isDecided?.() === true
}

function createAnswerOptions(
  { task }: TaskRun,
  { onRetry, stop }: RunContext,
  { shared, turns }: Required<Pick<ScoreSampleOptions, "turns">> & { readonly shared: RequestSlots },
): (work: Work) => ScoreSampleOptions {
  return ({ row, repeat }) => ({
    signal: stop.work,
    repeat,
    turns,
    onRetry({ error }) {
      onRetry?.(error, { task: task.name, row_index: row.index, repeat })
      if (isCrowded(error)) shared.throttled()
    },
  })
}

function createTaskSlots({ task }: TaskRun, { environment, onLog }: RunContext): RequestSlots {
  const max = task.parallelism
  const limit = createConcurrencyLimit({
    max: () => max,
    now: environment.now,
    onChange: (limit) => onLog(describeLimit(`Task ${task.name}`, limit, max)),
  })
  return createRequestSlots(limit)
}

/** Returns the line of the log about a new limit of requests in flight. */
export function describeLimit(what: string, limit: number, max: number): JobLogLine {
  const message =
    limit === max
      ? `${what}: ${max} requests may be in flight again.`
      : `${what}: the endpoint limits the rate; ${limit} instead of ${max} requests may be in flight.`
  return { level: limit === max ? "info" : "warn", message }
}

function isCrowded(error: unknown): boolean {
  return isAssayError(error) && CROWDED.has(error.code)
}

/** Waits for the rows in flight, at most `GRACE_MS` after the run is stopped. */
async function settled(drained: Promise<void>, { stop, environment }: RunContext): Promise<void> {
  const waited = new AbortController()
  const grace = async (): Promise<void> => {
    await new Promise((resolve) => {
      if (stop.begin.aborted) resolve(undefined)
      else stop.begin.addEventListener("abort", resolve, { once: true, signal: waited.signal })
    })
    await environment.sleep(GRACE_MS, waited.signal).catch(() => {})
  }
  await Promise.race([drained, grace()])
  waited.abort()
  const end = stop.end()
  // Requests in flight are already paid for.
  const isPaid = end?.kind === "budget" && end.limit !== "max_duration"
  if (end !== undefined && !isPaid) stop.now(end)
  await drained
}

/** Failures of one code that are logged one by one. Further ones are only counted. */
const MAX_LOGGED = 5

/** Creates the function that writes each result to the journal, counts it, and stops the job if it ends the job. @throws what the journal throws */
function createSettle(run: TaskRun, context: RunContext): (work: Work, answered: Answered) => void {
  const { journal, stop, progress, onRow, onFailure, onLog } = context
  const counts = new Map<string, number>()

  const logFailure = ({ code, message }: AssayError, row: EvaluationRow): void => {
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    if (count > MAX_LOGGED) return
    const more = count === MAX_LOGGED ? " (further ones are only counted)" : ""
    onLog({ level: "warn", message: `Task ${run.task.name}, row ${row.row_index}: ${code}: ${message}${more}` })
  }
  const noteFailure = (row: EvaluationRow, failure: AssayError | undefined): void => {
    if (row.error !== null) run.failures.note(row.error)
    if (failure !== undefined) {
      logFailure(failure, row)
      onFailure(failure, row)
      if (endsJob(failure)) stop.now({ kind: "failed", code: failure.code, message: failure.message })
    }
    const verdict = run.failures.verdict(run.total)
    if (verdict !== undefined) stop.with(verdict)
  }
  return (work, { row, failure }) => {
    journal.append(row)
    if (work.line === undefined) run[row.sample === null ? "unanswered" : "answered"]++
    run.tally.settle(row, work.due, { hadError: work.hadError, hadSample: work.line !== undefined })
    run.watch?.add(row)
    if (row.error === null) run.failures.succeeded()
    else noteFailure(row, failure)
    onRow?.(row)
    progress.changed()
  }
}

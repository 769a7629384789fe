import { isAssayError } from "@assay/schemas"
import type { OnRetry } from "../plan/task-plan.ts"
import { answerWork, isImmediate, type AnswerOptions } from "./answer-work.ts"
import { createConcurrencyLimit, type ConcurrencyLimit } from "./concurrency-limit.ts"
import { createSettle, type RunContext } from "./create-settle.ts"
import { endOfError } from "./end-of-error.ts"
import { createInFlight } from "./in-flight.ts"
import type { TaskRun } from "./task-run.ts"
import { takeTurns } from "./take-turns.ts"
import { workOfTask } from "./work-of-task.ts"
import type { Work } from "./work.ts"

/** How long rows in flight may still take when too many have failed. */
const GRACE_MS = 1000
const CROWDED: ReadonlySet<string> = new Set(["rate_limited", "server_overloaded"])

/**
 * Does all that a round has to do for a task, or as much as it gets to before it is stopped. What is at hand is scored in a plain
 * loop; what has to be asked for goes into flight. How it went wrong is told to `stop`.
 */
export async function runTask(run: TaskRun, context: RunContext): Promise<void> {
  const { job: round, journal, stop } = context
  const { task } = run
  const limit = limitOf(run, context)
  const flight = createInFlight(() => limit.current(), stop.begin)
  const settle = createSettle(run, context)
  const turns = takeTurns(journal, context.environment.now)
  const onRetry: OnRetry = ({ error }) => {
    context.onRetry?.(error)
    if (isCrowded(error)) limit.throttled()
  }
  const options: AnswerOptions = { signal: stop.work, onRetry, turns }

  const runLater = async (work: Work): Promise<void> => {
    try {
      const answered = await answerWork(task, work, options)
      if (answered.failure === undefined) limit.succeeded()
      else if (isCrowded(answered.failure)) limit.throttled()
      settle(work, answered)
    } catch (error) {
      // What is given up has no line, and is asked in the next round.
      if (!stop.work.aborted) stop.now(endOfError(error))
    } finally {
      flight.free()
    }
  }
  const begin = async (batch: Iterable<Work>): Promise<void> => {
    for (const work of batch) {
      if (isImmediate(task, work)) {
        const answered = answerWork(task, work, options)
        settle(work, answered instanceof Promise ? await answered : answered)
      } else if (flight.tryTake() || (await flight.take())) void runLater(work)
      if (turns.isDue()) await turns.take()
      if (stop.begin.aborted) return
    }
  }

  try {
    for await (const batch of workOfTask({ run, journal, round, signal: stop.begin })) {
      await begin(batch)
      if (stop.begin.aborted) break
    }
  } catch (error) {
    if (!stop.begin.aborted) stop.now(endOfError(error))
  }
  await settled(flight.drained(), context)
}

function limitOf({ task }: TaskRun, { environment, onLog }: RunContext): ConcurrencyLimit {
  const most = task.parallelism
  return createConcurrencyLimit({
    most,
    now: environment.now,
    onChange(limit) {
      const message =
        limit === most
          ? `Task ${task.name}: ${most} requests are in flight again.`
          : `Task ${task.name}: the endpoint limits the rate; ${limit} of ${most} requests are left in flight.`
      onLog({ level: limit === most ? "info" : "warn", message })
    },
  })
}

function isCrowded(error: unknown): boolean {
  return isAssayError(error) && CROWDED.has(error.code)
}

/** Waits for what is in flight; only for a moment once the run is stopped. */
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
  if (end !== undefined) stop.now(end)
  await drained
}

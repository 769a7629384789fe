import type { BudgetLimit, JobBudget } from "@assay/schemas/budget"
import { AssayError } from "@assay/schemas/errors"
import type { JobProgress } from "../jobs/job-progress.ts"
import type { TaskRun } from "./attempt/task-run.ts"
import type { Spending } from "../spending/spending.ts"
import type { Stop } from "./create-stop.ts"

/** What a job has left of its budget, and of that of its workspace. */
export interface BudgetWatch {
  /**
   * Stops the run if a limit of the workspace is reached. Called before each row that sends requests. Returns what to wait for first, if
   * little is left.
   */
  admit(): Promise<void> | undefined
  /** Counts a row that is asked. */
  begin(): void
  /** Stops the run if a limit is reached. Called before each row, so that a job whose last row is the last allowed one is whole. */
  check(): void
  /** Stops waiting for the end of the time. */
  end(): void
}

interface Options {
  readonly runs: readonly TaskRun[]
  readonly stop: Stop
  /** Returns milliseconds. */
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  readonly spending?: Spending | undefined
  /** Returns what tokens cost; undefined if that is not known. */
  readonly costOf: (tokens: JobProgress["tokens"]) => number | undefined
}

/**
 * Watches the budget of a job. What earlier attempts used counts, but not their time. Requests are counted when they begin, so that the
 * limit is exact; tokens when answers arrive, so rows that are in flight then can pass the limit. An unknown cost is not 0.
 * @throws `invalid_request` if the cost is limited and not known
 */
export function watchBudget(
  budget: JobBudget | undefined,
  { runs, stop, now, sleep, costOf, spending }: Options,
): BudgetWatch {
  const admit = admissionOf(spending, stop)
  if (budget === undefined) return { admit, begin: () => {}, check: () => {}, end: () => {} }
  const { max_requests = Infinity, max_tokens = Infinity, max_cost = Infinity, max_duration = Infinity } = budget
  if (max_cost < Infinity && asksModel(runs) && costOf({ prompt: 0, completion: 0 }) === undefined) {
    const message =
      "The budget has a max_cost, and the price of the model is not known: add it to the file that ASSAY_PRICES_FILE names, and resume the job."
    throw new AssayError("invalid_request", message)
  }
  const ended = new AbortController()
  const endsAt = now() + max_duration * 1000
  const stopBy = (limit: BudgetLimit) => stop.with({ kind: "budget", limit })
  let asked = runs.reduce((sum, { task, tally }) => (task.ask.kind === "call" ? sum + tally.processed : sum), 0)

  const reached = (): BudgetLimit | undefined => {
    if (asked >= max_requests) return "max_requests"
    const tokens = { prompt: 0, completion: 0 }
    for (const { tally } of runs) {
      tokens.prompt += tally.tokens.prompt
      tokens.completion += tally.tokens.completion
    }
    if (tokens.prompt + tokens.completion >= max_tokens) return "max_tokens"
    if (max_cost < Infinity && (costOf(tokens) ?? 0) >= max_cost) return "max_cost"
    return now() >= endsAt ? "max_duration" : undefined
  }
  /** Rows in flight must not hold the end up, so it does not wait for the next row. */
  const waitForEnd = async (): Promise<void> => {
    await sleep(max_duration * 1000, ended.signal).catch(() => {})
    if (!ended.signal.aborted) stopBy("max_duration")
  }
  if (max_duration < Infinity) void waitForEnd()
  return {
    admit,
    begin: () => void asked++,
    check() {
      const limit = reached()
      if (limit !== undefined) stopBy(limit)
    },
    end: () => ended.abort(),
  }
}

function asksModel(runs: readonly TaskRun[]): boolean {
  return runs.some(({ task }) => task.ask.kind === "call")
}

/** Returns the function that stops a run if a limit of its workspace is reached. */
function admissionOf(spending: Spending | undefined, stop: Stop): BudgetWatch["admit"] {
  if (spending === undefined) return () => undefined
  const { workspace } = spending
  const check = (): void => {
    const limit = spending.reached()
    if (limit !== undefined) stop.with({ kind: "budget", limit, workspace })
  }
  return () => {
    const waited = spending.admit()
    if (waited !== undefined) return waited.then(check)
    check()
    return undefined
  }
}

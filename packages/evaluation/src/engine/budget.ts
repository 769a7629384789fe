import type { PlanEnd } from "./run-outcome.ts"
import type { BudgetLimit, JobBudget } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { type JobProgress, tokenSums } from "@assay/results"
import type { TaskRun } from "./attempt/task-run.ts"
import type { WorkspaceSpending } from "../workspace-spending/workspace-spending.ts"
import { askedRows, sumOfTokens } from "./create-progress.ts"
import type { Stop } from "./create-stop.ts"
import type { RunPlanOptions } from "./run-options.ts"

/** The rest of the budget of a job, and of that of its workspace. */
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
  readonly spending?: WorkspaceSpending | undefined
  /** Returns what tokens cost; undefined if that is not known. */
  readonly costOf: (tokens: JobProgress["tokens"]) => number | undefined
  /** Returns what other runs have used. Default: nothing. */
  readonly spentElsewhere?: RunPlanOptions["spentElsewhere"]
}

/**
 * Watches the budget of a job. The use of earlier attempts counts, but not their time. Requests are counted when they begin, so that the
 * limit is exact; tokens when answers arrive, so rows that are in flight then can pass the limit. Unknown tokens and an unknown cost are
 * not 0: if a limit can't be counted, the run fails.
 * @throws `invalid_request` if the cost is limited and not known
 */
export function watchBudget(
  budget: JobBudget | undefined,
  { runs, stop, now, sleep, costOf, spending, spentElsewhere }: Options,
): BudgetWatch {
  const admit = admissionOf(spending, stop)
  if (budget === undefined) return { admit, begin: () => {}, check: () => {}, end: () => {} }
  const { max_requests = Infinity, max_tokens = Infinity, max_cost = Infinity, max_duration = Infinity } = budget
  if (max_cost < Infinity && asksModel(runs) && costOf(tokenSums.none) === undefined) {
    const message =
      "The budget has a max_cost, and the price of the model is not known: add it to the file that ASSAY_PRICES_FILE names, and resume the job."
    throw new AssayError("invalid_request", message)
  }
  const ended = new AbortController()
  const endsAt = now() + max_duration * 1000
  const stopBy = (limit: BudgetLimit) => stop.with({ kind: "budget", limit })
  let asked = askedRows(runs)

  const tokensOfAll = () => {
    const own = sumOfTokens(runs)
    return spentElsewhere === undefined ? own : tokenSums.add(own, spentElsewhere().tokens)
  }

  const reached = (): BudgetLimit | undefined => {
    if (asked + (spentElsewhere?.().asked ?? 0) >= max_requests) return "max_requests"
    const tokens = tokensOfAll()
    if (tokenSums.counted(tokens) >= max_tokens) return "max_tokens"
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
      if (limit !== undefined) return stopBy(limit)
      const uncounted = tokenSums.uncountable(budget, tokensOfAll())
      if (uncounted !== undefined) stop.with(uncountedEnd(uncounted))
    },
    end: () => ended.abort(),
  }
}

/** Returns the end of a run whose budget the answers do not allow to count. */
function uncountedEnd(limit: BudgetLimit, workspace?: string): PlanEnd {
  const whose = workspace === undefined ? "The budget" : `The budget of workspace '${workspace}'`
  const parts = limit === "max_cost" ? "tokens of each kind" : "tokens"
  const message = `${whose} has a ${limit}, and the endpoint does not say how many ${parts} its answers take (0 for a prompt is not a count): limit max_requests instead, or let the endpoint send \`usage\`, and resume the job.`
  return { kind: "failed", code: "invalid_request", message }
}

function asksModel(runs: readonly TaskRun[]): boolean {
  return runs.some(({ task }) => task.ask.kind === "call")
}

/** Returns the function that stops a run if a limit of its workspace is reached. */
function admissionOf(spending: WorkspaceSpending | undefined, stop: Stop): BudgetWatch["admit"] {
  if (spending === undefined) return () => undefined
  const { workspace } = spending
  const check = (): void => {
    const limit = spending.reached()
    if (limit !== undefined) return stop.with({ kind: "budget", limit, workspace })
    const uncounted = spending.uncountable()
    if (uncounted !== undefined) stop.with(uncountedEnd(uncounted, workspace))
  }
  return () => {
    const waited = spending.admit()
    if (waited !== undefined) return waited.then(check)
    check()
    return undefined
  }
}

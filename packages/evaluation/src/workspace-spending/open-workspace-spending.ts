import type { Spent, WorkspaceBudgets } from "@assay/registry"
import { findPrice, leftOfBudget, type PriceTable, reachedLimit } from "@assay/schemas"
import { NO_PATIENCE, type Outages } from "@assay/storage"
import { type JobProgress, tokenSums } from "@assay/results"
import type { OpenedWorkspaceSpending } from "./workspace-spending.ts"

export interface SpendingOptions {
  readonly workspace: string
  readonly budgets: Pick<WorkspaceBudgets, "spend">
  readonly prices?: PriceTable | undefined
  /** Returns milliseconds. */
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** For the last record. Absent: the first error of the database counts. */
  readonly outages?: Outages | undefined
}

/** The limits of a workspace and its recorded usage. */
type BudgetState = Awaited<ReturnType<WorkspaceBudgets["spend"]>>

/** Milliseconds between two records. */
const RECORD_MS = 1000
/**
 * A worker uses at most this part of the rest before it reads the sums again. A job has at most 64 workers, so that together they
 * use no more than the rest.
 */
const PART = 1 / 64

/**
 * Opens the budget of a workspace for one job on this worker. Usage is recorded each second, and more often when little is left of a
 * limit: at the end before each row. A limit is therefore exceeded at most by the rows that are in flight.
 */
export function openWorkspaceSpending(options: SpendingOptions): OpenedWorkspaceSpending {
  const { workspace, budgets, prices, now, sleep, outages = NO_PATIENCE } = options
  const closed = new AbortController()
  /** Rows that may be asked since the last record began. */
  let admitted = 0
  let state: BudgetState | undefined
  let running: Promise<void> | undefined
  let failedAt = -Infinity
  const usage = createUsage(prices)

  function mustRefresh(): boolean {
    const isNeeded = state === undefined || isNear(state, usage.unrecorded(), admitted)
    return isNeeded && now() - failedAt >= RECORD_MS
  }

  async function record(): Promise<void> {
    admitted = 0
    try {
      state = await usage.record((spent) => budgets.spend(workspace, spent))
    } catch (error) {
      failedAt = now()
      throw error
    }
  }

  async function refresh(): Promise<void> {
    // One that has begun already does not contain the latest usage.
    await running
    running ??= record()
      .catch(() => {})
      .finally(() => {
        running = undefined
      })
    await running
  }

  async function recordRepeatedly(): Promise<void> {
    while (!closed.signal.aborted) {
      await refresh()
      await sleep(RECORD_MS, closed.signal).catch(() => {})
    }
  }
  const recording = recordRepeatedly()

  return {
    workspace,
    reached: () => state && reachedLimit(state.limits, sum(state.spent, usage.unrecorded())),
    uncountable: () => state && tokenSums.uncountable(state.limits, usage.tokens()),
    admit() {
      if (mustRefresh()) return refresh().then(() => void admitted++)
      admitted++
      return undefined
    },
    refresh,
    meter: usage,
    async close() {
      closed.abort()
      await recording
      if (usage.isPending()) await outages.outlast(record).catch(() => {})
    },
  }
}

/** The usage of a job on this worker. */
interface Usage {
  readonly sent: () => void
  readonly answered: (model: string, usage: Parameters<typeof tokenSums.of>[0]) => void
  /** Returns the usage that is not recorded yet. */
  unrecorded(): Spent
  /** Records the usage since the last record. If `spend` fails, the next record has it too. */
  record<T>(spend: (usage: Spent) => Promise<T>): Promise<T>
  isPending(): boolean
  /** Returns the tokens of all answers. */
  tokens(): JobProgress["tokens"]
}

function createUsage(prices: PriceTable | undefined): Usage {
  /** Usage since the last record. */
  let pending = NOTHING
  /** Usage in the record that is being written. */
  let sending = NOTHING
  let all = tokenSums.none

  return {
    sent: () => void (pending = { ...pending, requests: pending.requests + 1 }),
    answered(model, usage) {
      const tokens = tokenSums.of(usage)
      all = tokenSums.add(all, tokens)
      pending = sum(pending, spentFor(model, tokens, prices))
    },
    unrecorded: () => sum(pending, sending),
    async record(spend) {
      sending = pending
      pending = NOTHING
      try {
        return await spend(sending)
      } catch (error) {
        pending = sum(sending, pending)
        throw error
      } finally {
        sending = NOTHING
      }
    },
    isPending: () => pending !== NOTHING,
    tokens: () => all,
  }
}

/** Returns whether a large part of the rest of a limit is used. */
function isNear({ limits, spent }: BudgetState, unrecorded: Spent, admitted: number): boolean {
  const used = { ...unrecorded, requests: Math.max(unrecorded.requests, admitted) }
  const left = leftOfBudget(limits, spent)
  const leftNow = leftOfBudget(limits, sum(spent, used))
  return !left.every(({ left: before }, at) => before - (leftNow[at]?.left ?? 0) < before * PART)
}

/** Returns the usage by the tokens of an answer. Tokens of a model without a price are counted apart. */
function spentFor(model: string, tokens: JobProgress["tokens"], prices: PriceTable | undefined): Spent {
  const price = prices && findPrice(prices, model)
  const cost = price && tokenSums.cost(price, tokens)
  return {
    ...NOTHING,
    // Nobody knows how many of an unsplit sum are those of the prompt.
    prompt_tokens: tokens.prompt + tokens.unsplit,
    completion_tokens: tokens.completion,
    ...(cost === undefined
      ? { unpriced_tokens: tokenSums.counted(tokens) }
      : { cost, currency: prices?.currency ?? "" }),
  }
}

const NOTHING: Spent = {
  requests: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  unpriced_tokens: 0,
  cost: 0,
  currency: "",
}

function sum(one: Spent, other: Spent): Spent {
  return {
    requests: one.requests + other.requests,
    prompt_tokens: one.prompt_tokens + other.prompt_tokens,
    completion_tokens: one.completion_tokens + other.completion_tokens,
    unpriced_tokens: one.unpriced_tokens + other.unpriced_tokens,
    cost: one.cost + other.cost,
    currency: one.currency === "" ? other.currency : one.currency,
  }
}

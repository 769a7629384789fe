import type { Spent, WorkspaceBudgets } from "@assay/registry"
import { findPrice, type PriceTable } from "@assay/schemas"
import { leftOfBudget, reachedLimit } from "@assay/schemas/workspace-budget"
import { NO_PATIENCE, type Outages } from "@assay/storage"
import {
  addTokens,
  costOfSums,
  countedTokens,
  NO_TOKENS,
  tokensOf,
  type TokenSums,
  uncountableLimit,
} from "@assay/results"
import type { OpenedSpending } from "./spending.ts"

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

/** Milliseconds between two records. */
const RECORD_MS = 1000
/**
 * A worker uses at most this part of what is left before it reads the sums again. A job has at most 64 workers, so that together they
 * use no more than what is left.
 */
const PART = 1 / 64

/**
 * Opens the budget of a workspace for one job on this worker. Usage is recorded each second, and more often when little is left of a
 * limit: at the end before each row. A limit is therefore exceeded at most by the rows that are in flight.
 */
export function openSpending(options: SpendingOptions): OpenedSpending {
  const { workspace, budgets, prices, now, sleep, outages = NO_PATIENCE } = options
  const closed = new AbortController()
  /** Not recorded yet: since the last record, and in the record that is being written. */
  let [pending, sending] = [NOTHING, NOTHING]
  /** Rows that may be asked since the last record began. */
  let admitted = 0
  let state: Awaited<ReturnType<WorkspaceBudgets["spend"]>> | undefined
  let running: Promise<void> | undefined
  let failedAt = -Infinity
  /** Tokens of all answers to this job on this worker. */
  let all = NO_TOKENS

  const unrecorded = () => sum(pending, sending)

  function mustRefresh(): boolean {
    if (state === undefined) return now() - failedAt >= RECORD_MS
    const { limits, spent } = state
    const own = unrecorded()
    const used = { ...own, requests: Math.max(own.requests, admitted) }
    const left = leftOfBudget(limits, spent)
    const leftNow = leftOfBudget(limits, sum(spent, used))
    const isFar = left.every(({ left: before }, at) => before - (leftNow[at]?.left ?? 0) < before * PART)
    return !isFar && now() - failedAt >= RECORD_MS
  }

  async function record(): Promise<void> {
    ;[sending, pending, admitted] = [pending, NOTHING, 0]
    try {
      state = await budgets.spend(workspace, sending)
    } catch (error) {
      pending = sum(sending, pending)
      failedAt = now()
      throw error
    } finally {
      sending = NOTHING
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

  function addAnswer(model: string, tokens: TokenSums): void {
    const price = prices && findPrice(prices, model)
    const cost = price && costOfSums(price, tokens)
    all = addTokens(all, tokens)
    pending = sum(pending, {
      ...NOTHING,
      // Nobody knows how many of an unsplit sum are those of the prompt.
      prompt_tokens: tokens.prompt + tokens.unsplit,
      completion_tokens: tokens.completion,
      ...(cost === undefined ? { unpriced_tokens: countedTokens(tokens) } : { cost, currency: prices?.currency ?? "" }),
    })
  }

  return {
    workspace,
    reached: () => state && reachedLimit(state.limits, sum(state.spent, unrecorded())),
    uncountable: () => state && uncountableLimit(state.limits, all),
    admit() {
      if (mustRefresh()) return refresh().then(() => void admitted++)
      admitted++
      return undefined
    },
    refresh,
    meter: {
      sent: () => void (pending = { ...pending, requests: pending.requests + 1 }),
      answered: (model, usage) => addAnswer(model, tokensOf(usage)),
    },
    async close() {
      closed.abort()
      await recording
      if (pending !== NOTHING) await outages.outlast(record).catch(() => {})
    },
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

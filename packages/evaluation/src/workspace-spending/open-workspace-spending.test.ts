import { setTimeout as wait } from "node:timers/promises"
import { AssayError, type TokenUsage } from "@assay/schemas"
import type { WorkspaceBudgets } from "@assay/registry"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type JobRegistry, openJobRegistry } from "../testing/open-job-registry.ts"
import { openWorkspaceSpending } from "./open-workspace-spending.ts"
import type { OpenedWorkspaceSpending } from "./workspace-spending.ts"

const USAGE = { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 }
const PRICES = { currency: "EUR", models: [{ model: "known", prompt_price: 1_000_000, completion_price: 0 }] }

describe("the spending of a job", () => {
  let test: JobRegistry
  let budgets: WorkspaceBudgets
  beforeAll(async () => {
    test = await openJobRegistry()
    budgets = test.registry.budgets
  })
  afterAll(() => test[Symbol.asyncDispose]())

  async function workspaceWith(limits: Parameters<WorkspaceBudgets["set"]>[1]): Promise<string> {
    const { name } = await test.registry.workspaces.create({ name: `team-${++count}` })
    await budgets.set(name, limits)
    return name
  }
  let count = 0

  // Its own records wait for hours, so that only rows cause them.
  const open = (workspace: string, port: Pick<WorkspaceBudgets, "spend"> = budgets) =>
    openWorkspaceSpending({
      workspace,
      budgets: port,
      prices: PRICES,
      now: () => performance.now(),
      sleep: (_, signal) => wait(3_600_000, undefined, signal === undefined ? {} : { signal }),
    })

  /** Asks rows until a limit is reached, and returns how many. */
  async function askRows(spending: OpenedWorkspaceSpending, inFlight = 1): Promise<number> {
    let rows = 0
    const ask = async () => {
      for (;;) {
        await spending.admit()
        if (spending.reached() !== undefined) return
        rows++
        spending.meter.sent("known")
        await wait(0)
        spending.meter.answered("known", USAGE)
      }
    }
    await Promise.all(Array.from({ length: inFlight }, ask))
    return rows
  }

  it("ends at the limit exactly if one worker asks one row at a time, with few records", async () => {
    let records = 0
    const workspace = await workspaceWith({ max_requests: 500, max_tokens: 1_000_000 })
    const spending = open(workspace, {
      spend: (...of) => {
        records++
        return budgets.spend(...of)
      },
    })
    expect(await askRows(spending)).toBe(500)
    expect(spending.reached()).toBe("max_requests")
    expect(records).toBeLessThan(250)
    await spending.close()
    const { usage } = await budgets.get(workspace)
    expect(usage).toMatchObject({ requests: 500, prompt_tokens: 4000, cost: { amount: 4000, currency: "EUR" } })
  })

  it("says which limit it can't count, and gets nothing back from negative tokens", async () => {
    const workspace = await workspaceWith({ max_tokens: 6000, max_cost: 100 })
    const answered = async (usage: TokenUsage | null) => {
      await using spending = closing(open(workspace))
      await spending.admit()
      spending.meter.answered("known", usage)
      return spending.uncountable()
    }
    const unknown = { prompt_tokens: null, completion_tokens: null, total_tokens: null }
    expect(await answered(USAGE)).toBeUndefined()
    expect(await answered(null)).toBe("max_tokens")
    expect(await answered({ ...unknown, prompt_tokens: 5 })).toBe("max_tokens")
    expect(await answered({ ...unknown, total_tokens: 5 })).toBe("max_cost")
    // The sum counts as tokens without a price.
    const { usage } = await budgets.get(workspace)
    expect(usage).toMatchObject({ prompt_tokens: 8 + 5 + 5, completion_tokens: 2, unpriced_tokens: 10 })
  })

  const closing = (spending: OpenedWorkspaceSpending) =>
    Object.assign(spending, { [Symbol.asyncDispose]: () => spending.close() })

  it("of eight workers ends with at most the requests that were in flight above the limit", async () => {
    const workspace = await workspaceWith({ max_tokens: 6000 })
    const workers = Array.from({ length: 8 }, () => open(workspace))
    const rows = await Promise.all(workers.map((worker) => askRows(worker, 4)))
    await Promise.all(workers.map((worker) => worker.close()))
    const asked = rows.reduce((sum, one) => sum + one, 0)
    expect(asked).toBeGreaterThanOrEqual(600)
    expect(asked).toBeLessThanOrEqual(600 + 8 * 4)
    expect((await budgets.get(workspace)).usage).toMatchObject({ requests: asked, prompt_tokens: 8 * asked })
  })

  it("counts tokens without a price apart, and nothing for an answer without usage", async () => {
    const workspace = await workspaceWith({ max_requests: 5 })
    const spending = open(workspace)
    spending.meter.sent("other")
    spending.meter.answered("other", USAGE)
    spending.meter.sent("known")
    spending.meter.answered("known", null)
    await spending.close()
    expect((await budgets.get(workspace)).usage).toEqual({
      requests: 2,
      prompt_tokens: 8,
      completion_tokens: 2,
      unpriced_tokens: 10,
      cost: null,
    })
  })

  it("goes on while the database does not respond, and records the rest later", async () => {
    const workspace = await workspaceWith({ max_requests: 100 })
    let isAway = true
    const spending = open(workspace, {
      spend: (...of) =>
        isAway ? Promise.reject(new AssayError("unavailable", "The database is away.")) : budgets.spend(...of),
    })
    for (let row = 0; row < 10; row++) {
      await spending.admit()
      spending.meter.sent("known")
    }
    expect(spending.reached()).toBeUndefined()
    isAway = false
    await spending.close()
    expect((await budgets.get(workspace)).usage.requests).toBe(10)
  })
})

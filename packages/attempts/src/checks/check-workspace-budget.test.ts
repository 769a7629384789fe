import type { BudgetLimits, WorkspaceBudget } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createCheckRun } from "./check-run.ts"
import { checkWorkspaceBudget } from "./check-workspace-budget.ts"

const PRICES = { currency: "EUR", models: [{ model: "known", prompt_price: 1, completion_price: 1 }] }
const ALL_PRICES = { currency: "EUR", models: [{ model: "*", prompt_price: 1, completion_price: 1 }] }

function check(limits: Partial<BudgetLimits>, exhausted: keyof BudgetLimits | null, prices?: typeof PRICES) {
  const usage = { requests: 1200, prompt_tokens: 800, completion_tokens: 300, unpriced_tokens: 0 }
  const budget: WorkspaceBudget = {
    workspace: "team",
    month: "2026-11",
    resets_at: "2026-12-01T00:00:00.000Z",
    limits,
    usage: { ...usage, cost: { amount: 12.5, currency: "EUR" } },
    exhausted,
  }
  const endpoints = ["known", "judge", "judge"].map((model_id) => ({
    endpoint: { url: "http://127.0.0.1:1", model_id },
    locations: ["target.model"],
  }))
  const run = createCheckRun(1000, new AbortController().signal)
  return checkWorkspaceBudget(endpoints, { getBudget: async () => budget, prices }, run)
}

describe("the check of the budget of a workspace", () => {
  it(
    "fails while a limit is reached, with the amounts and the end of the month",
    verifies("budgets.workspace"),
    async () => {
      const messages = await Promise.all([
        check({ max_requests: 1000 }, "max_requests"),
        check({ max_tokens: 1100 }, "max_tokens"),
        check({ max_cost: 12.5 }, "max_cost", ALL_PRICES),
      ])
      for (const failed of messages) expect(failed).toMatchObject([{ check: "budget", code: "budget_exhausted" }])
      expect(messages.map(([failed]) => /used (.*?) in 2026-11/.exec(failed?.message ?? "")?.[1])).toEqual([
        "1,200 of 1,000 requests",
        "1,100 of 1,100 tokens",
        "12.50 of 12.50 EUR",
      ])
      expect(messages[0]?.[0]?.message).toContain("begins again at 2026-12-01T00:00:00.000Z")
      expect(messages[0]?.[0]?.remedy).toContain("assay budget set")
    },
  )

  it(
    "fails for each model without a price, also a judge, if the cost is limited",
    verifies("budgets.workspace"),
    async () => {
      const failed = await check({ max_cost: 20 }, null, PRICES)
      expect(failed.map(({ code, message }) => [code, /price of '(.*)'/.exec(message)?.[1]])).toEqual([
        ["invalid_request", "judge"],
      ])
      expect(await check({ max_cost: 20 }, null)).toHaveLength(2)
      expect(await check({ max_tokens: 2000 }, null)).toEqual([])
    },
  )
})

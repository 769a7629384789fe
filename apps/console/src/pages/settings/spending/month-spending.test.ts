import type { EvaluationJob, Spending } from "@assay/schemas"
import { expect, it } from "vitest"
import { forecastOf, usedByModel, usedByMonth, usedByWorkspace } from "./month-spending.ts"

const used = (workspace: string, month: string, amount: number | null, currency = "USD") => ({
  workspace,
  month,
  requests: 10,
  prompt_tokens: 100,
  completion_tokens: 50,
  unpriced_tokens: amount === null ? 150 : 0,
  cost: amount === null ? null : { amount, currency },
})
const SPENDING: Spending = {
  data: [
    used("a", "2026-04", 3),
    used("a", "2026-03", 10),
    used("b", "2026-03", 20),
    used("c", "2026-03", null),
    used("d", "2026-03", 1, "EUR"),
  ],
  month: "2026-04",
  started_at: "2026-04-01T00:00:00.000Z",
  resets_at: "2026-05-01T00:00:00.000Z",
}

it("a month is the sum of its workspaces, by currency, and months without use are 0", () => {
  const months = usedByMonth(SPENDING, 3)
  expect(months.map(({ name, costs }) => [name, costs])).toEqual([
    ["2026-02", {}],
    ["2026-03", { USD: 30, EUR: 1 }],
    ["2026-04", { USD: 3 }],
  ])
  expect(months[1]).toMatchObject({ requests: 40, tokens: 600, unpriced: 150 })
  expect(usedByWorkspace(SPENDING, "2026-03").map(({ name }) => name)).toEqual(["b", "a", "d", "c"])
})

it("the end of the month is what was used, divided by the part of the month that is over", () => {
  const now = Date.parse("2026-04-11T00:00:00.000Z")
  expect(forecastOf({ costs: { USD: 3 } }, SPENDING, now)).toEqual({ USD: 9 })
  expect(forecastOf({ costs: { USD: 3 } }, SPENDING, Date.parse("2026-04-01T12:00:00.000Z"))).toBeUndefined()
})

it("models are summed over the targets of jobs, and a job without a price is not free", () => {
  const job = (model_id: string, total: number, cost: number | null) =>
    ({
      target: { type: "model", model: { api_endpoint: { url: "http://h", model_id } } },
      status_details: {
        tokens: { prompt: null, completion: null, total },
        cost: cost === null ? null : { amount: cost, currency: "USD" },
      },
    }) as unknown as EvaluationJob
  expect(usedByModel([job("s", 10, 1), job("l", 20, 5), job("s", 30, null), job("none", 0, null)])).toEqual([
    { name: "l", requests: 1, tokens: 20, costs: { USD: 5 }, unpriced: 0 },
    { name: "s", requests: 2, tokens: 40, costs: { USD: 1 }, unpriced: 30 },
  ])
})

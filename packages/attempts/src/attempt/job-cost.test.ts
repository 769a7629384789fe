import { describeProgress, NO_PROGRESS } from "./job-progress.ts"
import { expect, it } from "vitest"
import { costOfTarget } from "./job-cost.ts"
import { tokenSums } from "@assay/results"

const CONFIG = { type: "custom" } as const
const prices = { currency: "USD", models: [{ model: "tiny", prompt_price: 3, completion_price: 5 }] }
const progress = { ...NO_PROGRESS, tokens: { ...tokenSums.none, prompt: 40, completion: 20 } }

it.each([
  ["tiny", { amount: 0.000_22, currency: "USD" }],
  ["other", null],
])("the record of a job that asks '%s' has its cost, which is null and not 0 if it is unknown", (model_id, cost) => {
  const target = { type: "model", model: { api_endpoint: { url: "http://h/v1", model_id } } } as const
  expect(describeProgress(costOfTarget({ target, config: CONFIG }, prices)(progress))).toMatchObject({ cost })
})

it("a record has no cost without prices or without a model", () => {
  const target = { type: "model", model: { api_endpoint: { url: "http://h/v1", model_id: "tiny" } } } as const
  const given = { target: { type: "rows" as const, rows: [] }, config: CONFIG }
  for (const addCost of [costOfTarget({ target, config: CONFIG }, undefined), costOfTarget(given, prices)]) {
    expect(describeProgress(addCost(progress))).not.toHaveProperty("cost")
  }
})

it("the prices of a job come before those of the table, in its currency", () => {
  const target = { type: "model", model: { api_endpoint: { url: "http://h/v1", model_id: "tiny" } } } as const
  const own = { ...CONFIG, params: { prices: [{ model: "tiny", prompt_price: 30, completion_price: 50 }] } }
  const costWith = (table: typeof prices | undefined) =>
    describeProgress(costOfTarget({ target, config: own }, table)(progress))
  expect(costWith(prices)).toMatchObject({ cost: { amount: 0.0022, currency: "USD" } })
  expect(costWith(undefined)).toMatchObject({ cost: { amount: 0.0022, currency: "" } })
})

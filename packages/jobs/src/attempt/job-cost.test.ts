import { describeProgress, NO_PROGRESS } from "./job-progress.ts"
import { expect, it } from "vitest"
import { costOfTarget } from "./job-cost.ts"
import { tokenSums } from "@assay/results"

const prices = { currency: "USD", models: [{ model: "tiny", prompt_price: 3, completion_price: 5 }] }
const progress = { ...NO_PROGRESS, tokens: { ...tokenSums.none, prompt: 40, completion: 20 } }

it.each([
  ["tiny", { amount: 0.000_22, currency: "USD" }],
  ["other", null],
])("the record of a job that asks '%s' has its cost, which is null and not 0 if it is unknown", (model_id, cost) => {
  const target = { type: "model", model: { api_endpoint: { url: "http://h/v1", model_id } } } as const
  expect(describeProgress(costOfTarget(target, prices)(progress))).toMatchObject({ cost })
})

it("a record has no cost without prices or without a model", () => {
  const target = { type: "model", model: { api_endpoint: { url: "http://h/v1", model_id: "tiny" } } } as const
  for (const addCost of [costOfTarget(target, undefined), costOfTarget({ type: "rows", rows: [] }, prices)]) {
    expect(describeProgress(addCost(progress))).not.toHaveProperty("cost")
  }
})

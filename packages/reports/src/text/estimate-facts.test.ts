import type { LaunchEstimate } from "@assay/schemas"
import { expect, it } from "vitest"
import { estimateFacts, formatCost } from "./estimate-facts.ts"

const NOTHING: LaunchEstimate = {
  rows: null,
  about_rows: null,
  requests: null,
  prompt_tokens: null,
  completion_tokens: null,
  cost: null,
  currency: "USD",
  seconds: null,
  half_width: null,
  detectable: null,
  models: [],
  notes: [],
  tasks: [],
}
const model = { model: "m", url: "http://h", requests: 5200, prompt_tokens: 1, completion_tokens: null, cost: null }

it("the facts of an estimate say what is about and what is unknown", () => {
  const estimate = { ...NOTHING, about_rows: 5200, prompt_tokens: 1, seconds: 90, models: [model] }
  expect(Object.fromEntries(estimateFacts(estimate).map(({ name, value }) => [name, value]))).toEqual({
    Rows: "about 5,200",
    Requests: "about 5,200",
    "Tokens of prompts": "about 1",
    "Tokens of answers": "unknown",
    Cost: "unknown",
    Time: "about 1 min 30 s",
  })
  expect(estimateFacts({ ...NOTHING, rows: 3, requests: 0 })).toEqual([
    { name: "Rows", value: "3" },
    { name: "Requests", value: "0" },
  ])
})

it("one unknown model does not hide what the others take", () => {
  const known = { ...model, model: "known", prompt_tokens: 2000, completion_tokens: 30, cost: 1.5 }
  const estimate = { ...NOTHING, prompt_tokens: 2001, models: [known, model] }
  expect(Object.fromEntries(estimateFacts(estimate).map(({ name, value }) => [name, value]))).toMatchObject({
    "Tokens of prompts": "about 2,001",
    "Tokens of answers": "at least about 30; unknown for 'm'",
    Cost: "at least about 1.50 USD; unknown for 'm'",
  })
})

it.each([
  [0, "0.00 USD"],
  [0.0012345, "0.0012 USD"],
  [1234.5, "1,234.50 USD"],
])("the cost %d is written as %s", (amount, text) => expect(formatCost(amount, "USD")).toBe(text))

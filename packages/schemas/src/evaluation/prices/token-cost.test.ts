import { expect, it } from "vitest"
import type { PriceTable } from "./price-table.ts"
import { costOfTokens, findPrice } from "./token-cost.ts"

const price = (model: string, prompt_price: number) => ({ model, prompt_price, completion_price: 2 })
const TABLE: PriceTable = {
  currency: "USD",
  models: [price("big-1", 10), price("big-*", 5), price("*/small*-v*", 1), price("aba*aba", 3)],
}

it.each([
  ["big-1", 10],
  ["big-12", 5],
  ["ours/small-chat-v2", 1],
  ["abaXaba", 3],
  ["aba", undefined],
  ["small-v2", undefined],
  ["a big-1", undefined],
])("the price of %s is that of the first pattern that fits", (model, expected) => {
  expect(findPrice(TABLE, model)?.prompt_price).toBe(expected)
})

it("tokens cost the price of a million of them", () => {
  expect(costOfTokens(price("m", 3), { prompt: 2_000_000, completion: 500_000 })).toBe(7)
})

import { exactNumber, numberText } from "@assay/json"
import type { ItemRowFilter } from "@assay/schemas"
import { expect, it } from "vitest"
import { rowOf } from "../../testing/tiny-result.ts"
import { createRowFinder } from "./row-finder.ts"

const ITEMS = [{ a: "10" }, { a: 10 }, { a: 2 }, { a: true }, { a: null }, { a: [10] }, {}]

it("a finder of values compares texts whole, numbers by size, and finds nothing in lists and absent fields", () => {
  const found = (operator: ItemRowFilter["operator"], value: string) => {
    const matches = createRowFinder([{ field: "item", name: "a", operator, value }])
    return ITEMS.filter((item) => matches(rowOf(0, {}, { item }))).map(({ a }) => a)
  }
  expect(found("$eq", "10")).toEqual(["10", 10])
  expect(found("$eq", "1")).toEqual([])
  expect(found("$eq", "true")).toEqual([true])
  expect(found("$eq", "null")).toEqual([null])
  expect(found("$gte", "2")).toEqual([10, 2])
  expect(found("$lt", "10")).toEqual([2])
})

it("a finder of values compares all digits of numbers", () => {
  const items = [9007199254740992, exactNumber("9007199254740993"), exactNumber("1.50"), 1e21]
  const found = (operator: ItemRowFilter["operator"], value: string) => {
    const matches = createRowFinder([{ field: "item", name: "a", operator, value }])
    return items.filter((a) => matches(rowOf(0, {}, { item: { a } }))).map(numberText)
  }
  expect(found("$eq", "9007199254740993")).toEqual(["9007199254740993"])
  expect(found("$gt", "9007199254740992")).toEqual(["9007199254740993", "1e+21"])
  expect(found("$eq", "1.5")).toEqual(["1.50"])
})

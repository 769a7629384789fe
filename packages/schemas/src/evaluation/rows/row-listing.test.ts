import { expect, it } from "vitest"
import { parseRowFilters } from "./row-listing.ts"

it("filters after any: are one filter, and texts are searched in the row, its output or a field of its item", () => {
  expect(
    parseRowFilters([
      ["filter[any:error][$nin]", "null"],
      ["filter[item:a b][$like]", "x"],
      ["filter[any:score:f1][$lt]", "0.5"],
      ["filter[output]", "y"],
      ["limit", "1"],
    ]),
  ).toEqual([
    { field: "text", within: "item:a b", part: "x" },
    { field: "text", within: "output", part: "y" },
    {
      field: "any",
      filters: [
        { field: "error", isIn: false, values: [""] },
        { field: "score", metric: "f1", operator: "$lt", value: 0.5 },
      ],
    },
  ])
  expect(() => parseRowFilters([["filter[any:text][$like]", "x"]])).toThrow("a text can't be one of several")
  expect(() => parseRowFilters([["filter[item:]", "x"]])).toThrow("item:")
})

it("fields of items are compared as texts, or as numbers with an order", () => {
  expect(
    parseRowFilters([
      ["filter[item:topic][$eq]", "en"],
      ["filter[item:age][$gte]", "18"],
    ]),
  ).toEqual([
    { field: "item", name: "topic", operator: "$eq", value: "en" },
    { field: "item", name: "age", operator: "$gte", value: "18" },
  ])
  expect(() => parseRowFilters([["filter[item:age][$lt]", "old"]])).toThrow("'old' is not a number")
  expect(() => parseRowFilters([["filter[item:age][$in]", "1"]])).toThrow("$like")
  expect(() => parseRowFilters([["filter[output][$eq]", "x"]])).toThrow("$like")
  expect(() => parseRowFilters([["filter[any:item:age][$eq]", "1"]])).toThrow("can't be one of several")
})

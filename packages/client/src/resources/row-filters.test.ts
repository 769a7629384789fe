import { describe, expect, it } from "vitest"
import { formatRowFilterTerm, parseRowFilterTerm } from "./row-filters.ts"

describe("a condition on rows as users type it", () => {
  it.each([
    ["score:accuracy<0.5", ["score:accuracy", "$lt", "0.5"]],
    ["score >= 2", ["score", "$gte", "2"]],
    ["label = good enough", ["label", "$eq", "good enough"]],
    ["label=", ["label", "$eq", ""]],
    ["text~a=b", ["text", "$like", "a=b"]],
    ["condition!=null", ["condition", "$nin", "null"]],
    ['"a<b \\"c\\""=1', ['a<b "c"', "$eq", "1"]],
  ])("is read: %s", (text, [field, operator, value]) => {
    expect(parseRowFilterTerm(text)).toEqual({ field, operator, value })
  })

  it.each(["", "score", "=5", '"open=5', '"\\x"=5', " <5"])("is not read: %j", (text) => {
    expect(parseRowFilterTerm(text)).toBeUndefined()
  })

  it.each(["plain", "with space", " padded", "a=b", 'a"b', "a<b", "ü[]", "/a/b"])(
    "is written so that %j is read",
    (field) => {
      const term = { field, operator: "$gte", value: "x=1" }
      expect(parseRowFilterTerm(formatRowFilterTerm(term))).toEqual(term)
    },
  )
})

import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseColumnFilters } from "./column-filter.ts"

const parse = (query: string) => parseColumnFilters([...new URLSearchParams(query)])

describe("filters of the rows of a file", () => {
  it.each([
    ["filter[label]=good", ["label"], "$eq", [["good"]]],
    ["filter[score][$gte]=0.5", ["score"], "$gte", [[0.5, "0.5"]]],
    ["filter[score][lt]=1", ["score"], "$lt", [[1, "1"]]],
    ["filter[/meta/a~1b/0]=true", ["meta", "a/b", "0"], "$eq", [[true, "true"]]],
    ["filter[lang][$in]=de,en", ["lang"], "$in", [["de"], ["en"]]],
    ["filter[note]=", ["note"], "$eq", [[null]]],
    ["filter[a.b]=x", ["a.b"], "$eq", [["x"]]],
  ])("read %s", verifies("contents.page.filter"), (query, keys, operator, readings) => {
    expect(parse(`path=a.csv&${query}`)).toMatchObject([
      { keys, operator, operands: readings.map((readings) => ({ readings })) },
    ])
  })

  it.each([
    ["filter=x", "a column needs its own brackets"],
    ["filter[a][b][$eq]=x", "a column needs its own brackets"],
    ["filter[a][$near]=x", "a has no operator '$near'; use one of $eq, $like"],
    ["filter[a][$like]=", "valid string"],
    [`filter[${"/a".repeat(33)}]=x`, "the pointer has 33 keys; the limit is 32"],
    [Array.from({ length: 21 }, (_, at) => `filter[c${at}]=x`).join("&"), "there are 21 filters"],
    [`filter[a][$in]=${"x,".repeat(100)}`, "there are 101 values"],
    [`filter[a]=${"x".repeat(70_000)}`, "characters"],
  ])("refuse %.40s", (query, message) => {
    expect(() => parse(query)).toThrow(message)
  })
})

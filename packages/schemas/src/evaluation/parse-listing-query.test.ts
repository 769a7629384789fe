import { describe, expect, it } from "vitest"
import { JOB_LISTING_FIELDS } from "./listing-query.ts"
import { parseListingQuery } from "./parse-listing-query.ts"

const parse = (query: string) => parseListingQuery([...new URLSearchParams(query)], JOB_LISTING_FIELDS)
const DAY = Date.parse("2026-11-20T00:00:00Z")

describe("parseListingQuery", () => {
  it("reads filters and searches, and repeats them [eval.list]", () => {
    expect(parse("page=2&filter[status]=completed&search[config]=a&search[config]=b&filter[target]=ns/t")).toEqual({
      query: { equals: { status: "completed", target: "ns/t" }, moments: {}, contains: { config: ["a", "b"] } },
      filter: { status: "completed", target: "ns/t" },
      search: { config: ["a", "b"] },
    })
  })

  it.each([
    ["filter[created_at]=2026-11-20", { gte: DAY, lt: DAY + 86_400_000 }],
    ["filter[created_at]=2026-11-20T00:00:00", { gte: DAY, lte: DAY }],
    ["filter[created_at][gt]=2026-11-20&filter[created_at][$lte]=2026-11-21", { gt: DAY, lte: DAY + 86_400_000 }],
    ["search[created_at][start]=2026-11-20&search[created_at][end]=2026-11-21", { gte: DAY, lte: DAY + 86_400_000 }],
  ])("reads the moments of %s [eval.list]", (query, range) => {
    expect(parse(query).query.moments).toEqual({ created_at: range })
  })

  it.each([
    ["filter[colour]=red", "unknown_filter_field"],
    ["search[id]=a", "unknown_filter_field"],
    ["filter=completed", "bad_filter"],
    ["filter[status][like]=completed", "bad_filter"],
    ["filter[status]=completed&filter[status]=failed", "bad_filter"],
    ["filter[created_at]=yesterday", "bad_filter"],
    ["filter[created_at][like]=2026-11-20", "bad_filter"],
  ])("refuses %s with %s", (query, code) => {
    expect(() => parse(query)).toThrow(expect.objectContaining({ code }))
  })
})

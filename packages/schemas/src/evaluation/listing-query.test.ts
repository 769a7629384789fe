import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { JOB_LISTING, parseListingQuery } from "./listing-query.ts"

const parse = (query: string) => parseListingQuery([...new URLSearchParams(query)], JOB_LISTING)
const DAY = Date.parse("2026-11-20T00:00:00Z")
const DAY_MS = 86_400_000

describe("parseListingQuery", () => {
  it("reads filters and searches, and repeats them", verifies("eval.list"), () => {
    expect(parse("page=2&filter[status]=completed&search[config]=a&filter[target]=ns/t")).toEqual({
      query: { equals: { status: "completed", target: "ns/t" }, contains: { config: "a" } },
      filter: { status: "completed", target: "ns/t" },
      search: { config: "a" },
    })
    expect(parse("filter[status][$eq]=completed&filter[target][like]=ns/&search[id]=e")).toEqual({
      query: { equals: { status: "completed" }, contains: { target: "ns/", id: "e" } },
      filter: { status: "completed", target: { $like: "ns/" } },
      search: { id: "e" },
    })
    expect(parse("filter[created_at][gt]=2026-11-20&search[created_at]=2026-11-20")).toMatchObject({
      filter: { created_at: { gt: "2026-11-20" } },
      search: { created_at: "2026-11-20" },
    })
  })

  it.each([
    ["filter[created_at]=2026-11-20", { from: DAY, to: DAY + DAY_MS - 1 }],
    ["filter[created_at][eq]=2026-11-20T00:00:00", { from: DAY, to: DAY }],
    ["filter[created_at][gt]=2026-11-20&filter[created_at][$lt]=2026-11-21", { from: DAY + 1, to: DAY + DAY_MS - 1 }],
    ["filter[created_at][gte]=2026-11-20&filter[created_at][$lte]=2026-11-21", { from: DAY, to: DAY + DAY_MS }],
    ["search[created_at][start]=2026-11-20&search[created_at][end]=2026-11-21", { from: DAY, to: DAY + DAY_MS }],
  ])("reads the moments of %s", verifies("eval.list"), (query, range) => {
    expect(parse(query).query.created_at).toEqual(range)
  })

  it.each([
    ["filter[colour]=red", "unknown_filter_field"],
    ["search[updated_at]=a", "unknown_filter_field"],
    ["filter=completed", "bad_filter"],
    ["filter[status][gt]=completed", "bad_filter"],
    ["filter[status][$like]=a&search[status]=a", "bad_filter"],
    ["search[status][like]=completed", "bad_filter"],
    ["filter[status]=completed&filter[status]=failed", "bad_filter"],
    ["filter[created_at]=yesterday", "bad_filter"],
    ["filter[created_at][like]=2026-11-20", "bad_filter"],
  ])("refuses %s with %s", (query, code) => {
    expect(() => parse(query)).toThrow(expect.objectContaining({ code }))
  })
})

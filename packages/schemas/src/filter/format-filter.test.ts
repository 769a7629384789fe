import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { filterArbitrary } from "../testing/filter-arbitrary.ts"
import { formatFilter } from "./format-filter.ts"
import { parseJsonFilter } from "./parse-json-filter.ts"

function rewrite(json: string): string {
  return JSON.stringify(formatFilter(parseJsonFilter(json)))
}

describe("formatFilter", () => {
  it.each([
    ["a bare value for $eq", '{"name":{"$eq":"a"}}', { name: "a" }],
    ["null for what is missing", '{"custom_fields.a":null}', { "custom_fields.a": null }],
    [
      "other operators unchanged",
      '{"name":{"$like":"a"},"id":{"$in":["b"]}}',
      { name: { $like: "a" }, id: { $in: ["b"] } },
    ],
    ["an empty list", '{"name":{"$nin":[]}}', { name: { $nin: [] } }],
    [
      "dates in UTC",
      '{"created_at":{"$gte":"2025-01-01T02:00+02:00"}}',
      { created_at: { $gte: "2025-01-01T00:00:00.000Z" } },
    ],
    ["our own words", '{"storage_type":"ngc"}', { storage_type: "catalog" }],
    ["paths with dots", '{"metadata":{"a":{"b":1}}}', { "metadata.a.b": 1 }],
    ["odd keys in quotes", '{"custom_fields":{"a.b":{"x y":1}}}', { 'custom_fields["a.b"]["x y"]': 1 }],
    ["$not around a filter", '{"name":{"$not":{"$like":"a"}}}', { $not: { name: { $like: "a" } } }],
    [
      "the field next to a group",
      '{"$or":[{"name":"a"},{"name":"b"}],"id":"c"}',
      { id: "c", $or: [{ name: "a" }, { name: "b" }] },
    ],
    ["an empty group", '{"$or":[]}', { $or: [] }],
    ["a group in which nothing is asked", '{"$not":{}}', { $not: {} }],
  ])("writes %s", verifies("filter.echo"), (_, text, json) => {
    expect(formatFilter(parseJsonFilter(text))).toEqual(json)
  })

  it("joins fields, and the operators of a field, in one object", verifies("filter.echo.one-object"), () => {
    const text =
      '{"$and":[{"name":{"$like":"a"}},{"created_at":{"$gte":"2025-01-01"}},{"name":"ab"},{"created_at":{"$lt":"2025-02-01"}},{"$not":{"id":"x"}}]}'
    expect(formatFilter(parseJsonFilter(text))).toEqual({
      name: { $like: "a", $eq: "ab" },
      created_at: { $gte: "2025-01-01T00:00:00.000Z", $lt: "2025-02-01T00:00:00.000Z" },
      $not: { id: "x" },
    })
  })

  it(
    "lists objects under $and if an operator of a field or a group occurs twice",
    verifies("filter.echo.one-object"),
    () => {
      const text = '{"$and":[{"name":"a"},{"name":"b"},{"id":"c"},{"$not":{"id":"d"}},{"$not":{"id":"e"}}]}'
      expect(formatFilter(parseJsonFilter(text))).toEqual({
        $and: [
          { name: "a", id: "c", $not: { id: "d" } },
          { name: "b", $not: { id: "e" } },
        ],
      })
    },
  )

  it("writes an empty object for a filter without conditions", () => {
    expect(formatFilter({ kind: "and", filters: [{ kind: "and", filters: [] }] })).toEqual({})
  })

  it("writes the same text again after parsing it", () => {
    fc.assert(
      fc.property(filterArbitrary({ ambiguous: false }), (filter) => {
        const json = rewrite(JSON.stringify(formatFilter(filter)))
        expect(rewrite(json)).toBe(json)
      }),
    )
  })
})

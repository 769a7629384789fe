import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { Fileset } from "../filesets/fileset.ts"
import { parseFilesetFilter } from "../filter/parse-fileset-filter.ts"
import { filesetArbitrary } from "./fileset-arbitrary.ts"
import { filterArbitrary } from "./filter-arbitrary.ts"
import { matchesFilter } from "./matches-filter.ts"

const RECORD: Fileset = {
  id: "fileset-1",
  name: "Reviews-2025",
  workspace: "default",
  description: "100% of Ärzte_innen",
  purpose: "dataset",
  storage: { type: "hub", repo_id: "owner/reviews" },
  metadata: { dataset: { schema: "row" } },
  custom_fields: {
    five: 5,
    text: "5",
    yes: true,
    nothing: null,
    list: ["a"],
    map: { deep: "x", "a.b": 1 },
    wide: "～",
  },
  project: "",
  created_at: "2025-01-01T00:00:00.000Z",
  updated_at: "2025-06-01T12:00:00.000Z",
}

function matches(text: string): boolean {
  const filter = parseFilesetFilter([["filter", text]])
  return filter !== undefined && matchesFilter(RECORD, filter)
}

describe("matchesFilter", () => {
  it.each([
    ['name:"Reviews-2025"', true],
    ['name:"reviews-2025"', false],
    ['description~"ÄRZTE"', true],
    ['purpose:"dataset"', true],
    ['storage_type:"hub"', true],
    ['storage_type:"local"', false],
    ['id:"fileset-1" workspace:"default" project:""', true],
    ['metadata.dataset.schema:"row"', true],
    ['custom_fields.map.deep:"x"', true],
    ['custom_fields.map["a.b"]:1', true],
    ["custom_fields.map.a.b:1", false],
    ['custom_fields.list.0:"a"', false],
  ])("finds the field of %s: %s", verifies("filter.fields", "filter.fields.dotted"), (text, expected) => {
    expect(matches(text)).toBe(expected)
  })

  it.each([
    ['name~"REVIEWS"', true],
    ['name~""', true],
    ['description~"100%"', true],
    ['description~"1%%"', false],
    ['name~"Reviews_2025"', false],
    ['description~"e_i"', true],
    ['custom_fields.five~"5"', false],
    ['custom_fields.text~"5"', true],
  ])(
    "searches a substring in any case, without wildcards: %s is %s",
    verifies("filter.like", "filter.like.literal"),
    (text, expected) => {
      expect(matches(text)).toBe(expected)
    },
  )

  it.each([
    ["custom_fields.nothing:null", true],
    ["custom_fields.gone:null", true],
    ["custom_fields.five.deeper:null", true],
    ["custom_fields.five:null", false],
    ["custom_fields.map:null", false],
    ["name:null", false],
    ["custom_fields.gone IN [1, null]", true],
    ["custom_fields.gone IN [1]", false],
    ["custom_fields.gone NOT IN [1]", false],
    ["custom_fields.nothing NOT IN [1]", false],
    ["custom_fields.gone NOT IN [null]", false],
    ['custom_fields.gone~""', false],
    ["custom_fields.gone<1", false],
    ["custom_fields.gone>=null", false],
    ["-custom_fields.gone:1", true],
    ["-custom_fields.gone NOT IN [1]", true],
  ])(
    "handles missing values: %s is %s",
    verifies("filter.null", "filter.missing", "filter.in-null"),
    (text, expected) => {
      expect(matches(text)).toBe(expected)
    },
  )

  it.each([
    ["custom_fields.five:5", true],
    ['custom_fields.five:"5"', false],
    ["custom_fields.text:5", false],
    ["custom_fields.yes:true", true],
    ["custom_fields.yes:1", false],
    ['custom_fields.yes:"true"', false],
    ['custom_fields.five IN ["5", 6]', false],
    ['custom_fields.five NOT IN ["5", 6]', true],
    ["custom_fields.list NOT IN [1]", true],
  ])("compares by type: %s is %s", verifies("filter.typed-values"), (text, expected) => {
    expect(matches(text)).toBe(expected)
  })

  it.each([
    ["custom_fields.five>4", true],
    ["custom_fields.five>=4", true],
    ["custom_fields.five>=5", true],
    ["custom_fields.five>5", false],
    ["custom_fields.five<5.5", true],
    ["custom_fields.five<=4", false],
    ['custom_fields.five<"6"', false],
    ['custom_fields.text<"6"', true],
    ['custom_fields.text<="5"', true],
    ["custom_fields.text<6", false],
    ["custom_fields.yes>=true", false],
    ['custom_fields.wide<"😀"', true],
    ['name>"R" name<"S"', true],
    ['created_at>="2025-01-01"', true],
    ['created_at>"2025-01-01"', false],
    ['created_at<="2025-01-01T01:00+01:00"', true],
    ['created_at<"2025-01-01"', false],
  ])(
    "orders values of one type, text by code point: %s is %s",
    verifies("filter.ordering", "brief.filter.range-inclusive"),
    (text, expected) => {
      expect(matches(text)).toBe(expected)
    },
  )

  it.each([
    ["five][$eq", "5", true],
    ["text][$eq", "5", true],
    ["yes][$eq", "true", true],
    ["yes][$eq", "false", false],
    ["five][$in", "4,5", true],
    ["five][$nin", "4,5", false],
    ["text][$nin", "4,5", false],
    ["text][$nin", "4,6", true],
    ["five][$gt", "4", true],
    ["text][$gt", "4", true],
    ["text][$lte", "4", false],
    ["yes][$gte", "true", false],
  ])(
    "satisfies one reading of an ambiguous value: %s=%s is %s",
    verifies("filter.brackets.readings", "filter.brackets.custom-paths"),
    (field, value, expected) => {
      const filter = parseFilesetFilter([[`filter[custom_fields][${field}]`, value]])
      expect(filter !== undefined && matchesFilter(RECORD, filter)).toBe(expected)
    },
  )

  it("treats `$not` as the complement of every filter", verifies("filter.two-valued"), () => {
    fc.assert(
      fc.property(filesetArbitrary(), filterArbitrary(), (record, filter) => {
        expect(matchesFilter(record, { kind: "not", filter })).toBe(!matchesFilter(record, filter))
      }),
    )
  })

  it("matches no record for an empty list of alternatives, and every record without conditions", () => {
    expect(matchesFilter(RECORD, { kind: "or", filters: [] })).toBe(false)
    expect(matchesFilter(RECORD, { kind: "and", filters: [] })).toBe(true)
  })
})

import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { isAssayError } from "../errors/assay-error.ts"
import { FILTER_LIMITS } from "./filter-limits.ts"
import type { Filter, FilterField } from "./filter.ts"
import { formatFilter } from "./format-filter.ts"
import { parseFilesetFilter } from "./parse-fileset-filter.ts"

function echo(query: string): unknown {
  const filter = parseFilesetFilter(new URLSearchParams(query))
  return filter && formatFilter(filter)
}

function parse(text: string) {
  return parseFilesetFilter([["filter", text]])
}

function many(count: number, part: string, between = ""): string {
  return Array.from({ length: count }, () => part).join(between)
}

/** Returns nested groups, each with as many levels of JSON as a group can have. */
function deepest(depth: number): Filter {
  const field: FilterField = { column: "name", path: [] }
  const operands = [{ readings: ["a"], written: "a" }]
  const comparison: Filter = { kind: "comparison", field, operator: "$in", operands }
  if (depth === 0) return comparison
  const kind = depth % 2 === 0 ? "and" : "or"
  return { kind, filters: [deepest(depth - 1), comparison, comparison] }
}

describe("parseFilesetFilter", () => {
  it.each([
    "",
    "page=1&sort=name&filters=x&xfilter[name]=a",
    "filter=",
    "filter=%20%09",
    "filter={}",
    'filter={"name":{}}',
    "filter=&filter={}",
  ])("returns undefined for %j", verifies("filter.blank"), (query) => {
    expect(echo(query)).toBeUndefined()
  })

  it.each([
    'filter={"name":"a"}',
    'filter=%20{"name":"a"}',
    'filter=name:"a"',
    "filter[name]=a",
    "page=2&filter[name]=a&sort=name",
  ])(
    "recognises the form of %s by its first character",
    verifies("filter.json", "filter.text", "filter.brackets"),
    (query) => {
      expect(echo(query)).toEqual({ name: "a" })
    },
  )

  it("joins several forms by AND", () => {
    expect(echo('filter=name:"a"&filter[id]=b&filter={"project":"c"}&filter=&filter[purpose]=model')).toEqual({
      name: "a",
      project: "c",
      id: "b",
      purpose: "model",
    })
    expect(echo('filter=name:"a" OR name:"b"&filter[name][$like]=c')).toEqual({
      $or: [{ name: "a" }, { name: "b" }],
      name: { $like: "c" },
    })
  })

  it.each([
    ["name", "a", { name: "a" }],
    ["description", "a", { description: "a" }],
    ["purpose", "model", { purpose: "model" }],
    ["storage_type", "hub", { storage_type: "hub" }],
    ["created_at][$gte", "2025-01-01", { created_at: { $gte: "2025-01-01T00:00:00.000Z" } }],
    ["updated_at][$lte", "2025-01-01", { updated_at: { $lte: "2025-01-01T00:00:00.000Z" } }],
    ["id", "a", { id: "a" }],
    ["workspace", "a", { workspace: "a" }],
    ["project", "a", { project: "a" }],
  ])(
    "filters by %s",
    verifies(
      "filter.fields",
      "brief.filter.name",
      "brief.filter.description",
      "brief.filter.purpose",
      "brief.filter.storage-type",
      "brief.filter.created-at",
      "brief.filter.updated-at",
    ),
    (field, value, json) => {
      expect(echo(`filter[${field}]=${value}`)).toEqual(json)
    },
  )

  it("refuses text that no database can store", () => {
    for (const query of ["filter[name]=%00", "filter[custom_fields][%00]=a", 'filter=name:"%00"']) {
      expect(() => echo(query)).toThrow(expect.objectContaining({ code: "bad_filter" }))
    }
    expect(() => parseFilesetFilter([["filter[name]", "\ud800"]])).toThrow(
      expect.objectContaining({ code: "bad_filter" }),
    )
  })

  describe("limits", () => {
    it.each([
      [
        "comparisons",
        many(FILTER_LIMITS.comparisons, 'name:"a"', " OR "),
        many(FILTER_LIMITS.comparisons + 1, 'name:"a"', " OR "),
      ],
      ["groups and negations", `{"$or":[${many(255, "{}", ",")}]}`, `{"$or":[${many(256, "{}", ",")}]}`],
      [
        "values",
        `name IN [${many(FILTER_LIMITS.values, '"a"', ",")}]`,
        `name IN [${many(FILTER_LIMITS.values + 1, '"a"', ",")}]`,
      ],
      [
        "characters",
        `name:"${many(FILTER_LIMITS.length - 13, "a")}"`,
        `name:"${many(FILTER_LIMITS.length - 12, "a")}"`,
      ],
      [
        "levels of nesting",
        `${many(FILTER_LIMITS.depth, '{"$not":')}{"id":"a"}${many(FILTER_LIMITS.depth, "}")}`,
        `${many(31, '{"$not":')}{"id":"a"}${many(31, "}")}`,
      ],
    ])("limits the number of %s", (what, most, more) => {
      expect(parse(most)).toBeDefined()
      expect(() => parse(more)).toThrow(
        expect.objectContaining({
          code: "bad_filter",
          message: expect.stringMatching(`The filter has \\d+ ${what}; the limit is \\d+`),
        }),
      )
    })

    it.each([
      ["negations", `${"-".repeat(31)}name:"a"`, "nested deeper than 30 levels"],
      ["parentheses", `${"(".repeat(31)}name:"a"${")".repeat(31)}`, "nested deeper than 30 levels"],
      ["groups in parentheses", `${'(id:"a" (id:"b" OR '.repeat(17)}id:"c"${"))".repeat(17)}`, "levels"],
    ])("limits the depth of %s", (_, text, message) => {
      expect(() => parse(text)).toThrow(
        expect.objectContaining({ code: "bad_filter", message: expect.stringContaining(message) }),
      )
    })

    it("reads 30 negations and 30 parentheses", () => {
      expect(parse(`${"-".repeat(30)}name:"a"`)).toBeDefined()
      expect(parse(`${"(".repeat(30)}name:"a"${")".repeat(30)}`)).toBeDefined()
    })

    it("reads the canonical form of the deepest filter", () => {
      const json = JSON.stringify(formatFilter(deepest(FILTER_LIMITS.depth)))
      expect(echo(`filter=${json}`)).toEqual(JSON.parse(json))
    })

    it.each([
      ["brackets", `filter${"[$not]".repeat(64)}[id]`, "a"],
      ["JSON", "filter", `${'{"$not":'.repeat(65)}{}${"}".repeat(65)}`],
      ["JSON in brackets", "filter[$or]", `${"[".repeat(65)}${"]".repeat(65)}`],
      ["text", "filter", `${"(".repeat(65)}name:"a"${")".repeat(65)}`],
      ["text of thousands of levels", "filter", `name:"a" AND ${"(".repeat(30_000)}`],
    ])("refuses %s deeper than 64 levels as an invalid request", verifies("input.depth"), (_, parameter, value) => {
      expect(() => parseFilesetFilter([[parameter, value]])).toThrow(
        expect.objectContaining({ code: "invalid_request", message: expect.stringContaining("64 levels") }),
      )
    })

    it("limits the keys in brackets", () => {
      expect(() => parseFilesetFilter([[`filter${"[a]".repeat(99)}`, "x"]])).toThrow("deeper than 64 levels")
      expect(() => parseFilesetFilter([[`filter${"[not]".repeat(63)}[id]`, "x"]])).toThrow("63 levels of nesting")
      expect(() => parseFilesetFilter([[`filter[custom_fields]${"[a]".repeat(33)}`, "x"]])).toThrow("the limit is 32")
    })
  })

  describe("hostile input", () => {
    const pieces = [
      '"',
      "\\",
      "{",
      "}",
      "[",
      "]",
      "(",
      ")",
      ":",
      ",",
      "-",
      "~",
      "<",
      ">=",
      " ",
      ".",
      "$",
      "name",
      "custom_fields",
      "$or",
      "$not",
      "$in",
    ]
    const words = [
      "IN",
      "NOT",
      "AND",
      "OR",
      "null",
      "5",
      "1e9",
      '"a"',
      '"name"',
      "__proto__",
      "constructor",
      "toString",
      "\ud800",
      "\0",
      "😀",
      "%",
    ]
    const soup = fc.array(fc.oneof(fc.constantFrom(...pieces, ...words), fc.string({ unit: "binary" })), {
      maxLength: 40,
    })
    const text = soup.map((parts) => parts.join(""))
    const parameter = fc.oneof(
      fc.tuple(fc.constant("filter"), text),
      fc.tuple(
        fc.constant("filter"),
        text.map((text) => `{"${text}`),
      ),
      fc.tuple(
        text.map((text) => `filter[${text}`),
        text,
      ),
      fc.tuple(
        fc
          .array(fc.oneof(fc.constantFrom(...pieces, ...words), text))
          .map((keys) => `filter${keys.map((key) => `[${key}]`).join("")}`),
        text,
      ),
    )

    it(
      "gives a filter or an AssayError with status 400 or 422, and nothing else",
      verifies("filter.unreadable"),
      () => {
        fc.assert(
          fc.property(fc.array(parameter, { minLength: 1, maxLength: 3 }), (parameters) => {
            try {
              const filter = parseFilesetFilter(parameters)
              expect(typeof (filter && formatFilter(filter))).toMatch(/object|undefined/)
            } catch (error) {
              if (!isAssayError(error)) throw error
              expect([400, 422]).toContain(error.status)
              expect(error.message.length).toBeLessThan(600)
            }
          }),
          { numRuns: 3000 },
        )
      },
    )

    it.each([
      '"',
      "\\",
      '"\\',
      "{",
      "[",
      "(",
      "-",
      '{"a":',
      '{"$not":',
      "[[",
      ":",
      ",",
      " ",
      "a",
      ".",
      "a.",
      "5",
      "-5",
      'name:"a" ',
      'name:"a" OR ',
      '["',
      '"]',
      "<",
      "NOT ",
      "\u0130",
      "😀",
    ])("is parsed in linear time and shortened in messages: %j repeated", verifies("errors.bounded"), (piece) => {
      // AssayError itself cuts only messages above 4,000 characters, so the parsers have to cut shorter values.
      for (const length of [60_000, 3500]) {
        const long = piece.repeat(length / piece.length)
        const parameters = [
          ["filter", long],
          ["filter", `{"name":"${long}`],
          ["filter", `{"${long}":1}`],
          ["filter", `{"$${long}":1}`],
          ["filter", `{"name":${long}`],
          ["filter", `name IN [${long}`],
          ["filter", `name${long}`],
          ["filter", `custom_fields.${long}:1`],
          ["filter[name]", long],
          ["filter[custom_fields.a][$in]", long],
          ["filter[created_at]", long],
          [`filter[${long}]`, "a"],
          [`filter[name][${long}]`, "a"],
          [`filter[name][${long}]`, "{"],
          [`filter${long}`, "a"],
        ] as const
        for (const parameter of parameters) {
          try {
            parseFilesetFilter([parameter])
          } catch (error) {
            if (!isAssayError(error)) throw error
            expect(error.message.length).toBeLessThan(600)
            for (const { msg } of error.issues) expect(msg.length).toBeLessThan(600)
          }
        }
      }
    })

    it("does not change the prototype of objects", () => {
      const text = '{"__proto__":{"polluted":1}}'
      expect(() => parse(text)).toThrow("Unknown filter field '__proto__'")
      expect(echo("filter[custom_fields][__proto__][polluted]=1")).toEqual({ "custom_fields.__proto__.polluted": "1" })
      expect(() => parse('{"name":{"__proto__":{"polluted":1}}}')).toThrow("name has no operator '__proto__'")
      expect(Object.keys(Object.prototype)).toEqual([])
    })
  })
})

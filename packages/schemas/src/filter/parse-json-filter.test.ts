import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatFilter } from "./format-filter.ts"
import { parseJsonFilter } from "./parse-json-filter.ts"

describe("parseJsonFilter", () => {
  it(
    "reads fields and operators as a tree",
    verifies("filter.json", "filter.bare-value", "filter.joined-by-and"),
    () => {
      expect(parseJsonFilter('{"name": {"$like": "a"}, "purpose": "dataset"}')).toEqual({
        kind: "and",
        filters: [
          {
            kind: "comparison",
            field: { column: "name", path: [] },
            operator: "$like",
            operands: [{ readings: ["a"], written: "a" }],
          },
          {
            kind: "comparison",
            field: { column: "purpose", path: [] },
            operator: "$eq",
            operands: [{ readings: ["dataset"], written: "dataset" }],
          },
        ],
      })
    },
  )

  it.each([
    ["$eq", '"a"'],
    ["$like", '"a"'],
    ["$lt", '"a"'],
    ["$lte", '"a"'],
    ["$gt", '"a"'],
    ["$gte", '"a"'],
    ["$in", '["a"]'],
    ["$nin", '["a"]'],
  ])("reads the operator %s", verifies("filter.operators"), (operator, value) => {
    expect(parseJsonFilter(`{"name": {"${operator}": ${value}}}`)).toMatchObject({ kind: "comparison", operator })
  })

  it.each([
    ["a bare value and $eq", '{"name": {"$eq": "a"}}', '{"name": "a"}'],
    ["a nested and a dotted path", '{"custom_fields": {"a": {"b": {"$gt": 1}}}}', '{"custom_fields.a.b": {"$gt": 1}}'],
    ["a path that is half dotted", '{"custom_fields.a": {"b": 1}}', '{"custom_fields.a.b": 1}'],
    ["a path with and without data", '{"data.custom_fields.a": 1}', '{"custom_fields.a": 1}'],
    ["a field with and without data", '{"data": {"purpose": "model"}}', '{"purpose": "model"}'],
    ["a quoted and a dotted key", '{"metadata[\\"a\\"]": "b"}', '{"metadata.a": "b"}'],
    ["a nested key with a dot and a quoted one", '{"custom_fields": {"a.b": 1}}', '{"custom_fields[\\"a.b\\"]": 1}'],
    ["one field under $and and the field by itself", '{"$and": [{"name": "a"}]}', '{"name": "a"}'],
    ["one field under $or and the field by itself", '{"$or": [{"name": "a"}]}', '{"name": "a"}'],
    ["$and and one object", '{"$and": [{"name": "a"}, {"project": "b"}]}', '{"name": "a", "project": "b"}'],
    ["$not of a filter and of operators", '{"$not": {"name": {"$like": "x"}}}', '{"name": {"$not": {"$like": "x"}}}'],
    ["$not of a bare value and of $eq", '{"name": {"$not": "x"}}', '{"name": {"$not": {"$eq": "x"}}}'],
    [
      "groups within groups of the same kind",
      '{"$or": [{"$or": [{"id": "a"}, {"id": "b"}]}, {"id": "c"}]}',
      '{"$or": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}',
    ],
    [
      "the neutral and the vendor's word for a storage type",
      '{"storage_type": {"$in": ["ngc", "huggingface", "s3"]}}',
      '{"storage_type": {"$in": ["catalog", "hub", "objstore"]}}',
    ],
    ["zero with and without a sign", '{"custom_fields.a": -0}', '{"custom_fields.a": 0}'],
    ["escaped and plain text", '{"na\\u006de": "\\u00e4\\n"}', '{"name": "ä\\n"}'],
  ])("reads %s as the same", verifies("filter.not-forms", "filter.fields.data-prefix"), (_, left, right) => {
    expect(parseJsonFilter(left)).toEqual(parseJsonFilter(right))
  })

  it("joins a logical operator with the other keys by AND", verifies("filter.logic-beside-fields"), () => {
    expect(parseJsonFilter('{"name": "a", "$or": [{"id": "b"}, {"id": "c"}], "$not": {"id": "d"}}')).toMatchObject({
      kind: "and",
      filters: [{ operator: "$eq" }, { kind: "or", filters: [{}, {}] }, { kind: "not", filter: { operator: "$eq" } }],
    })
  })

  it("requires both conditions of two equal keys", () => {
    const filter = parseJsonFilter('{"name": {"$like": "a"}, "name": {"$like": "b"}}')
    expect(formatFilter(filter)).toEqual({ $and: [{ name: { $like: "a" } }, { name: { $like: "b" } }] })
  })

  it("keeps the types of values below the free-form maps", verifies("filter.typed-values"), () => {
    const filter = parseJsonFilter('{"custom_fields.a": {"$in": [5, "5", true, "true", null, -1.5e3]}}')
    expect(filter).toMatchObject({
      operands: [5, "5", true, "true", null, -1500].map((value) => ({ readings: [value], written: value })),
    })
  })

  it("reads empty objects as no conditions", () => {
    expect(parseJsonFilter('{"name": {}, "created_at": {}, "$and": [{}, {}]}')).toEqual({ kind: "and", filters: [] })
  })

  it("keeps an empty list of alternatives, which no record satisfies", () => {
    expect(parseJsonFilter('{"$or": []}')).toEqual({ kind: "or", filters: [] })
    expect(parseJsonFilter('{"name": {"$in": []}}')).toMatchObject({ operator: "$in", operands: [] })
  })

  it.each([
    ["{", 1, "a key in double quotes"],
    ['{"name"', 7, "a colon"],
    ['{"name":', 8, "a JSON value"],
    ['{"name":"a"', 11, ", or }"],
    ['{"name":"a",', 12, "a key in double quotes"],
    ['{"name":"a",}', 12, "a key in double quotes"],
    ['{"name":"a"}}', 12, "the end of the JSON"],
    ['{"name":"a"} x', 13, "the end of the JSON"],
    ["{name:1}", 1, "a key in double quotes"],
    ["{'name':1}", 1, "a key in double quotes"],
    ['{"name":a}', 8, "a JSON value"],
    ['{"name":01}', 8, "a JSON value"],
    ['{"name":+1}', 8, "a JSON value"],
    ['{"name":.5}', 8, "a JSON value"],
    ['{"name":1e9x}', 8, "a JSON value"],
    ['{"name":NaN}', 8, "a JSON value"],
    ['{"name":True}', 8, "a JSON value"],
    ['{"name":{"$in":["a" "b"]}}', 20, ", or ]"],
    ['{"name":"a}', 8, "a string needs"],
    ['{"name":"\\x"}', 8, "a string needs"],
    ['{"name":"\\u12"}', 8, "a string needs"],
    ['{"name":"a\nb"}', 8, "a string needs"],
    ['{"name":"\\u0000"}', 8, "a string needs"],
    ['{"name":"\\ud800"}', 8, "a string needs"],
  ])("points at the position where %j can't be read", verifies("filter.unreadable"), (text, position, reason) => {
    expect(() => parseJsonFilter(text)).toThrow(
      expect.objectContaining({
        code: "bad_filter",
        status: 400,
        message: expect.stringContaining(`at position ${position} of filter: ${reason}`),
        context: { parameter: "filter", position },
      }),
    )
  })

  it.each([
    ['{"name":{"$foo":1}}', 9, "'$foo'"],
    ['{"name":{"like":"a"}}', 9, "'like'"],
    ['{"name":{"$or":[{"$like":"a"}]}}', 9, "'$or'"],
    ['{"custom_fields":{"$in":[1]}}', 18, "custom_fields is a map"],
    ['{"metadata":null}', 1, "metadata is a map"],
    ['{"$nor":[]}', 1, "'$nor'"],
    ['{"$eq":"a"}', 1, "'$eq'"],
    ['{"created_at":{"$like":"2025"}}', 15, "created_at is a date"],
  ])("refuses the operator of %s", verifies("filter.unknown-operator"), (text, position, reason) => {
    expect(() => parseJsonFilter(text)).toThrow(
      expect.objectContaining({
        code: "bad_filter",
        status: 400,
        message: expect.stringMatching(
          `at position ${position} of filter: .*${reason.replaceAll("$", String.raw`\$`)}`,
        ),
      }),
    )
  })

  it.each([
    "foo",
    "Name",
    "name.first",
    "data.size",
    "data.data.name",
    "custom_fields.",
    "custom_fields..a",
    "__proto__",
    "constructor",
    "",
  ])("refuses the unknown field '%s' with the list of valid ones", verifies("filter.unknown-field"), (field) => {
    const fields =
      "['id', 'name', 'workspace', 'project', 'description', 'purpose', 'storage_type', 'created_at', 'updated_at', 'metadata', 'custom_fields', 'entity_type']"
    for (const value of ["1", "{}", '{"$or":[]}', '{"$not":{}}']) {
      expect(() => parseJsonFilter(`{"${field}":${value}}`)).toThrow(
        expect.objectContaining({
          code: "unknown_filter_field",
          status: 400,
          message: `Unknown filter field '${field}'. Valid fields: ${fields}`,
        }),
      )
    }
  })

  it("reads $exists as a comparison with null", verifies("filter.exists"), () => {
    expect(formatFilter(parseJsonFilter('{"custom_fields.a":{"$exists":false}}'))).toEqual({ "custom_fields.a": null })
    expect(parseJsonFilter('{"name":{"$exists":true}}')).toEqual(parseJsonFilter('{"name":{"$not":{"$exists":false}}}'))
    expect(() => parseJsonFilter('{"name":{"$exists":1}}')).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ loc: ["query", "filter", "name", "$exists"] })] }),
    )
    expect(() => parseJsonFilter('{"metadata":{"$exists":true}}')).toThrow(/metadata is a map/)
  })

  it("shortens a very long unknown field in the message", () => {
    expect(() => parseJsonFilter(`{"${"x".repeat(100)}":1}`)).toThrow(/^Unknown filter field 'x{100}'\. /)
    expect(() => parseJsonFilter(`{"${"x".repeat(10_000)}":1}`)).toThrow(
      /^Unknown filter field 'x{100}…'\. Valid fields: \[/,
    )
  })

  it("refuses a path of more than 32 keys, nested or dotted", () => {
    const keys = Array.from({ length: 33 }, () => "a")
    const nested = keys.reduce((inner, key) => `{"${key}":${inner}}`, "1")
    for (const text of [`{"custom_fields.${keys.join(".")}":1}`, `{"custom_fields":${nested}}`]) {
      expect(() => parseJsonFilter(text)).toThrow(/the path has 33 keys; the limit is 32/)
    }
    expect(parseJsonFilter(`{"custom_fields.${keys.slice(1).join(".")}":1}`)).toMatchObject({
      field: { path: { length: 32 } },
    })
  })
})

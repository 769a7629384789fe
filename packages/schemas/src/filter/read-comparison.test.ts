import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseJsonFilter } from "./parse-json-filter.ts"

describe("readOperand", () => {
  it.each([
    ['{"name":5}', ["name"], "string_type", 5],
    ['{"id":true}', ["id"], "string_type", true],
    ['{"description":{"$eq":5}}', ["description", "$eq"], "string_type", 5],
    ['{"name":["a"]}', ["name"], "string_type", ["a"]],
    ['{"name":{"$eq":{"a":[1]}}}', ["name", "$eq"], "string_type", { a: [1] }],
    ['{"name":{"$gt":null}}', ["name", "$gt"], "string_type", null],
    ['{"name":{"$like":null}}', ["name", "$like"], "string_type", null],
    ['{"name":{"$in":"a"}}', ["name", "$in"], "list_type", "a"],
    ['{"name":{"$nin":["a",5]}}', ["name", "$nin", 1], "string_type", 5],
    ['{"created_at":5}', ["created_at"], "datetime_type", 5],
    ['{"created_at":{"$gte":null}}', ["created_at", "$gte"], "datetime_type", null],
    ['{"created_at":{"$gte":"soon"}}', ["created_at", "$gte"], "datetime_parsing", "soon"],
    ['{"updated_at":{"$in":["2025-01-01",""]}}', ["updated_at", "$in", 1], "datetime_parsing", ""],
    ['{"updated_at":{"$lt":{}}}', ["updated_at", "$lt"], "datetime_type", {}],
    ['{"custom_fields.a":[1]}', ["custom_fields.a"], "scalar_type", [1]],
    ['{"custom_fields.a":{"$eq":{"b":1}}}', ["custom_fields.a", "$eq"], "scalar_type", { b: 1 }],
    ['{"custom_fields":{"a":{"$in":[[1]]}}}', ["custom_fields", "a", "$in", 0], "scalar_type", [1]],
    ['{"custom_fields.a":{"$like":5}}', ["custom_fields.a", "$like"], "string_type", 5],
    ['{"custom_fields.a":{"$in":5}}', ["custom_fields.a", "$in"], "list_type", 5],
    ['{"$or":[{"name":"a"},{"$not":{"name":{"$not":5}}}]}', ["$or", 1, "$not", "name", "$not"], "string_type", 5],
    ['{"$or":{"name":"a"}}', ["$or"], "list_type", { name: "a" }],
    ['{"$and":["name"]}', ["$and", 0], "dict_type", "name"],
    ['{"$not":[]}', ["$not"], "dict_type", []],
    ["[]", [], "dict_type", []],
  ])("refuses the type in %s and points at it", verifies("filter.wrong-type"), (text, path, type, input) => {
    expect(() => parseJsonFilter(text)).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        status: 422,
        issues: [{ loc: ["query", "filter", ...path], msg: expect.stringMatching(/^Input should be /), type, input }],
      }),
    )
  })

  it.each([
    ['{"purpose":"x"}', ["purpose"], "x"],
    ['{"purpose":"Dataset"}', ["purpose"], "Dataset"],
    ['{"purpose":5}', ["purpose"], 5],
    ['{"purpose":{"$in":["model","x"]}}', ["purpose", "$in", 1], "x"],
    ['{"purpose":{"$gt":"x"}}', ["purpose", "$gt"], "x"],
    ['{"purpose":null}', ["purpose"], null],
    ['{"purpose":{"$in":[null]}}', ["purpose", "$in", 0], null],
    ['{"purpose":{"$nin":[null]}}', ["purpose", "$nin", 0], null],
  ])(
    "refuses a word that is not in the list in %s",
    verifies("filter.unknown-enum", "filter.enum-null"),
    (text, path, input) => {
      expect(() => parseJsonFilter(text)).toThrow(
        expect.objectContaining({
          code: "invalid_request",
          issues: [
            {
              loc: ["query", "filter", ...path],
              msg: "Input should be 'dataset', 'generic' or 'model'",
              type: "enum",
              input,
            },
          ],
        }),
      )
    },
  )

  it("accepts the four storage types and refuses null", () => {
    for (const value of ['"tape"', "null"]) {
      expect(() => parseJsonFilter(`{"storage_type":${value}}`)).toThrow(
        "query.filter.storage_type: Input should be 'local', 'catalog', 'hub' or 'objstore'",
      )
    }
  })

  it("searches any part of a list's words with $like", () => {
    expect(parseJsonFilter('{"purpose":{"$like":"data"}}')).toMatchObject({ operands: [{ readings: ["data"] }] })
    expect(parseJsonFilter('{"storage_type":{"$like":"s3"}}')).toMatchObject({ operands: [{ readings: ["s3"] }] })
    expect(() => parseJsonFilter('{"purpose":{"$like":null}}')).toThrow("Input should be a valid string")
  })

  it.each(["$eq", "$in", "$nin"])(
    "accepts null with %s for text, dates and custom fields",
    verifies("filter.null"),
    (operator) => {
      for (const field of ["name", "created_at", "custom_fields.a"]) {
        const value = operator === "$eq" ? "null" : "[null]"
        expect(parseJsonFilter(`{"${field}":{"${operator}":${value}}}`)).toMatchObject({
          operands: [{ readings: [null], written: null }],
        })
      }
    },
  )

  it("writes a date in UTC with milliseconds", verifies("filter.dates.offset"), () => {
    expect(parseJsonFilter('{"created_at":"2025-01-01T02:00:00+02:00"}')).toMatchObject({
      operands: [{ readings: ["2025-01-01T00:00:00.000Z"], written: "2025-01-01T00:00:00.000Z" }],
    })
  })

  it(
    "accepts every scalar in an ordering of a custom field, although some have no order",
    verifies("filter.ordering"),
    () => {
      for (const value of ["1", '"a"', "true", "null"]) {
        expect(parseJsonFilter(`{"custom_fields.a":{"$gt":${value}}}`)).toMatchObject({ operator: "$gt" })
      }
    },
  )
})

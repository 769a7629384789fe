import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { exactNumber } from "@assay/json"
import { formatFilter } from "./format-filter.ts"
import { parseBracketFilter } from "./parse-bracket-filter.ts"
import { parseJsonFilter } from "./parse-json-filter.ts"

function parse(query: string) {
  return parseBracketFilter([...new URLSearchParams(query)])
}

describe("parseBracketFilter", () => {
  it.each([
    ["filter[purpose]=dataset", '{"purpose":"dataset"}'],
    ["filter[name][$like]=a", '{"name":{"$like":"a"}}'],
    ["filter%5Bname%5D%5B%24like%5D=a%20b", '{"name":{"$like":"a b"}}'],
    ["filter[name]=a+b", '{"name":"a b"}'],
    ["filter[name]=a&filter[purpose]=model", '{"name":"a","purpose":"model"}'],
    [
      "filter[created_at][$gte]=2025-01-01&filter[created_at][$lte]=2025-02-01",
      '{"created_at":{"$gte":"2025-01-01","$lte":"2025-02-01"}}',
    ],
    ["filter[created_at][$gte]=2025-01-01T02:00:00%2B02:00", '{"created_at":{"$gte":"2025-01-01"}}'],
    ["filter[created_at][$gte]=2025-01-01T02:00:00+02:00", '{"created_at":{"$gte":"2025-01-01"}}'],
    ["filter[storage_type]=s3", '{"storage_type":"objstore"}'],
    ["filter[metadata.dataset.schema]=row", '{"metadata.dataset.schema":"row"}'],
    ["filter[custom_fields][team]=a", '{"custom_fields.team":"a"}'],
    ["filter[custom_fields.team]=a", '{"custom_fields.team":"a"}'],
    ["filter[custom_fields][a][b]=c", '{"custom_fields.a.b":"c"}'],
    ["filter[custom_fields.a][b]=c", '{"custom_fields.a.b":"c"}'],
    ["filter[custom_fields][a.b]=c", '{"custom_fields":{"a.b":"c"}}'],
    ["filter[data.custom_fields.x]=a", '{"custom_fields.x":"a"}'],
    ["filter[data][custom_fields][in]=a", '{"custom_fields.in":"a"}'],
    ["filter[data][purpose]=model", '{"purpose":"model"}'],
    ["filter[data.name][like]=a", '{"name":{"$like":"a"}}'],
    ["filter[custom_fields][__proto__][constructor]=a", '{"custom_fields.__proto__.constructor":"a"}'],
  ])(
    "reads %s",
    verifies("filter.brackets", "filter.brackets.percent-encoded", "filter.fields.dotted", "filter.fields.data-prefix"),
    (query, json) => {
      expect(parse(query)).toEqual(parseJsonFilter(json))
    },
  )

  it.each([
    ["filter[name][like]=a", '{"name":{"$like":"a"}}'],
    ["filter[name][eq]=a", '{"name":"a"}'],
    ["filter[created_at][gte]=2025-01-01", '{"created_at":{"$gte":"2025-01-01"}}'],
    ["filter[name][nin]=a", '{"name":{"$nin":["a"]}}'],
    ["filter[name][not][like]=a", '{"name":{"$not":{"$like":"a"}}}'],
    ["filter[name][not]=a", '{"name":{"$not":"a"}}'],
    ["filter[not][name]=a", '{"$not":{"name":"a"}}'],
    ['filter[or]=[{"name":"a"},{"name":"b"}]', '{"$or":[{"name":"a"},{"name":"b"}]}'],
    ["filter[custom_fields][team][like]=a", '{"custom_fields.team":{"$like":"a"}}'],
    ["filter[custom_fields.team][not][in]=a", '{"custom_fields.team":{"$not":{"$in":["a"]}}}'],
    ["filter[custom_fields][in]=a", '{"custom_fields.in":"a"}'],
    ["filter[custom_fields][in][in]=a", '{"custom_fields.in":{"$in":["a"]}}'],
    ["filter[custom_fields][like][x]=a", '{"custom_fields.like.x":"a"}'],
    ["filter[custom_fields.in]=a", '{"custom_fields.in":"a"}'],
    ["filter[custom_fields][$not][a]=b", '{"$not":{"custom_fields.a":"b"}}'],
  ])("accepts an operator without its $ in %s", verifies("filter.brackets.dollar-optional"), (query, json) => {
    expect(parse(query)).toEqual(parseJsonFilter(json))
  })

  it.each([
    ["filter[name][$in]=a,b", '{"name":{"$in":["a","b"]}}'],
    ["filter[purpose][$nin]=model,dataset", '{"purpose":{"$nin":["model","dataset"]}}'],
    ['filter[name][$in]=["a,b","c"]', '{"name":{"$in":["a,b","c"]}}'],
    ["filter[name][$in]=a, b", '{"name":{"$in":["a"," b"]}}'],
    ["filter[name][$in]=a&filter[name][$in]=b", '{"name":{"$in":["a","b"]}}'],
    ['filter[name][$in]=a,b&filter[name][$in]=["c"]', '{"name":{"$in":["a","b","c"]}}'],
    ["filter[name]=a,b", '{"name":"a,b"}'],
  ])("reads the list of %s", verifies("filter.brackets.lists", "filter.brackets.commas"), (query, json) => {
    expect(parse(query)).toEqual(parseJsonFilter(json))
  })

  it.each([
    ['filter[name]={"$like":"a"}', '{"name":{"$like":"a"}}'],
    ['filter[custom_fields]={"team":"a","size":{"$gt":5}}', '{"custom_fields":{"team":"a","size":{"$gt":5}}}'],
    ['filter[custom_fields.size][$in]=[5,"5",null]', '{"custom_fields.size":{"$in":[5,"5",null]}}'],
    ['filter[$or]=[{"name":"a"},{"purpose":"model"}]', '{"$or":[{"name":"a"},{"purpose":"model"}]}'],
    ['filter[$not]={"name":"a"}', '{"$not":{"name":"a"}}'],
    ['filter[name]=b&filter[$or]=[{"name":"a"}]', '{"name":"b","$or":[{"name":"a"}]}'],
  ])("reads the JSON of %s", verifies("filter.brackets.json", "filter.brackets.logic"), (query, json) => {
    expect(parse(query)).toEqual(parseJsonFilter(json))
  })

  it.each([
    ["name", ""],
    ["description", ""],
    ["project", ""],
    ["id", null],
    ["workspace", null],
    ["created_at", null],
    ["metadata.a", null],
    ["custom_fields.a", null],
  ])("reads an empty value of %s as %j", verifies("filter.brackets.empty"), (field, value) => {
    expect(formatFilter(parse(`filter[${field}]=`))).toEqual({ [field]: value })
  })

  it("reads an empty value between commas in the same way", verifies("filter.brackets.empty"), () => {
    expect(formatFilter(parse("filter[custom_fields.a][$in]=x,&filter[name][$in]=x,"))).toEqual({
      "custom_fields.a": { $in: ["x", null] },
      name: { $in: ["x", ""] },
    })
  })

  it.each([
    ["5", [5, "5"]],
    ["-1.5e3", [-1500, "-1.5e3"]],
    ["5.0", [5, "5.0"]],
    ["-0", [0, "-0"]],
    ["true", [true, "true"]],
    ["false", [false, "false"]],
    ["05", ["05"]],
    ["+5", ["+5"]],
    [" 5", [" 5"]],
    ["0x5", ["0x5"]],
    ["1e999", [exactNumber("1e999"), "1e999"]],
    ["9007199254740993", [exactNumber("9007199254740993"), "9007199254740993"]],
    ["Infinity", ["Infinity"]],
    ["True", ["True"]],
    ["null", ["null"]],
    ["2025-01-01", ["2025-01-01"]],
  ])(
    "reads %j below a free-form map as %j and echoes it as it was typed",
    verifies("filter.brackets.readings", "filter.echo.ambiguous"),
    (text, readings) => {
      const operand = { readings, written: text }
      const field = "custom_fields.a"
      const value = encodeURIComponent(text)
      expect(parse(`filter[${field}]=${value}`)).toMatchObject({ operands: [operand] })
      expect(formatFilter(parse(`filter[${field}]=${value}`))).toEqual({ [field]: text })
    },
  )

  it("applies the same rule to lists and orderings of custom fields", verifies("filter.brackets.custom-paths"), () => {
    const five = { readings: [5, "5"], written: "5" }
    const yes = { readings: [true, "true"], written: "true" }
    expect(parse("filter[custom_fields.a][$in]=5,x,true")).toMatchObject({
      operands: [five, { readings: ["x"], written: "x" }, yes],
    })
    expect(parse("filter[custom_fields.a][$gt]=5")).toMatchObject({ operator: "$gt", operands: [five] })
    expect(parse("filter[custom_fields.a][$like]=5")).toMatchObject({ operands: [{ readings: ["5"], written: "5" }] })
  })

  it.each(["5", "true", "null", "2025-01-01"])("reads %s as text in a text column", (text) => {
    expect(parse(`filter[name]=${text}`)).toMatchObject({ operands: [{ readings: [text], written: text }] })
  })

  it("requires both conditions of a key that is given twice", () => {
    expect(formatFilter(parse("filter[name][$like]=a&filter[name][$like]=b&filter[name]=c"))).toEqual({
      $and: [{ name: { $like: "a", $eq: "c" } }, { name: { $like: "b" } }],
    })
    expect(parse("filter[$not][name]=a&filter[$not][project]=b")).toEqual(
      parseJsonFilter('{"$not":{"name":"a","project":"b"}}'),
    )
  })

  it.each([
    "filter[",
    "filter[]",
    "filter[name",
    "filter[name]x",
    "filter[name]]",
    "filter[name][]",
    "filter[name] [$eq]",
  ])("refuses the brackets of %s", (parameter) => {
    expect(() => parse(`${encodeURIComponent(parameter)}=a`)).toThrow(
      `The filter can't be read in ${parameter}: each key needs its own brackets, as in filter[name][$like].`,
    )
  })

  it.each([
    ["filter[name][$foo]=a", "in filter[name][$foo]: name has no operator '$foo'"],
    ["filter[name][first]=a", "in filter[name][first]: name has no operator 'first'"],
    ["filter[custom_fields][a][$foo]=a", "in filter[custom_fields][a][$foo]: custom_fields.a has no operator '$foo'"],
    ["filter[$foo]=a", "in filter[$foo]: '$foo' is used where a field or one of"],
    ["filter[custom_fields]=a", "in filter[custom_fields]: custom_fields is a map"],
    ["filter[custom_fields][$eq]=a", "in filter[custom_fields][$eq]: custom_fields is a map"],
    ["filter[updated_at][like]=a", "in filter[updated_at][like]: updated_at is a date"],
    ["filter[name]=[x", "at position 1 of filter[name]: a JSON value is expected, but it has 'x'"],
    ["filter[name]={", "at position 1 of filter[name]: a key in double quotes is expected, but the text ends there"],
  ])("refuses %s as unreadable", verifies("filter.unknown-operator", "filter.unreadable"), (query, message) => {
    expect(() => parse(query)).toThrow(
      expect.objectContaining({
        code: "bad_filter",
        message: expect.stringContaining(`The filter can't be read ${message}`),
      }),
    )
  })

  it.each(["foo", "data", "data.size", "name.first", "__proto__", "constructor", "toString"])(
    "refuses the unknown field %s",
    verifies("filter.unknown-field"),
    (field) => {
      expect(() => parse(`filter[${field}]=a`)).toThrow(
        `Unknown filter field '${field}'. Valid fields: ['id', 'name', `,
      )
    },
  )

  it.each([
    ["filter[purpose]=x", ["purpose"], "enum", "x"],
    ["filter[purpose]=", ["purpose"], "enum", ""],
    ["filter[purpose][$in]=model,x", ["purpose", "$in", 1], "enum", "x"],
    ["filter[created_at][gte]=soon", ["created_at", "$gte"], "datetime_parsing", "soon"],
    ["filter[created_at][$gte]=", ["created_at", "$gte"], "datetime_type", ""],
    ["filter[id][$like]=", ["id", "$like"], "string_type", ""],
    ['filter[name]=["a"]', ["name"], "string_type", ["a"]],
    ['filter[name][$in]={"a":1}', ["name", "$in"], "list_type", { a: 1 }],
    ['filter[name][$in]=a&filter[name][$in]={"b":1}', ["name", "$in"], "list_type", { b: 1 }],
    ["filter[$or]=a", ["$or"], "list_type", "a"],
    ["filter[$not]=a", ["$not"], "dict_type", "a"],
    ['filter[$or]=[{"purpose":"x"}]', ["$or", 0, "purpose"], "enum", "x"],
  ])(
    "refuses the value of %s and points at it",
    verifies("filter.wrong-type", "filter.unknown-enum"),
    (query, path, type, input) => {
      expect(() => parse(query)).toThrow(
        expect.objectContaining({
          code: "invalid_request",
          issues: [expect.objectContaining({ loc: ["query", "filter", ...path], type, input })],
        }),
      )
    },
  )
})

import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseJsonFilter } from "./parse-json-filter.ts"
import { parseTextFilter } from "./parse-text-filter.ts"

describe("parseTextFilter", () => {
  it.each([
    ['name:"a"', '{"name":"a"}'],
    ['name~"a"', '{"name":{"$like":"a"}}'],
    ['name>"a"', '{"name":{"$gt":"a"}}'],
    ['name>="a"', '{"name":{"$gte":"a"}}'],
    ['name<"a"', '{"name":{"$lt":"a"}}'],
    ['name<="a"', '{"name":{"$lte":"a"}}'],
    ['name IN ["a", "b"]', '{"name":{"$in":["a","b"]}}'],
    ['name not in ["a"]', '{"name":{"$nin":["a"]}}'],
    ["name IN []", '{"name":{"$in":[]}}'],
    ['name\t:\n"a"', '{"name":"a"}'],
    ['name IN["a","b"]', '{"name":{"$in":["a","b"]}}'],
    ['purpose:"dataset" AND created_at>"2025-01-01"', '{"purpose":"dataset","created_at":{"$gt":"2025-01-01"}}'],
  ])("reads the operators of %s", verifies("filter.text", "filter.text.operators"), (text, json) => {
    expect(parseTextFilter(text)).toEqual(parseJsonFilter(json))
  })

  it.each([
    [String.raw`name:"say \"a\""`, String.raw`{"name":"say \"a\""}`],
    [String.raw`name:"\u00e4\n\\"`, String.raw`{"name":"ä\n\\"}`],
    ['name:"a) OR (b:"', '{"name":"a) OR (b:"}'],
    ['name:""', '{"name":""}'],
  ])("reads the string of %s", verifies("filter.text.strings", "filter.text.escapes"), (text, json) => {
    expect(parseTextFilter(text)).toEqual(parseJsonFilter(json))
  })

  it.each([
    ["custom_fields.a:5", '{"custom_fields.a":5}'],
    ["custom_fields.a>-1.5e3", '{"custom_fields.a":{"$gt":-1500}}'],
    ["custom_fields.a:null", '{"custom_fields.a":null}'],
    ["custom_fields.a:true", '{"custom_fields.a":true}'],
    ["custom_fields.a:false", '{"custom_fields.a":false}'],
    ['custom_fields.a:"5"', '{"custom_fields.a":"5"}'],
    ['custom_fields.a IN [5, "5", true, null]', '{"custom_fields.a":{"$in":[5,"5",true,null]}}'],
  ])(
    "reads the typed value of %s",
    verifies("filter.text.bare-values", "filter.text.booleans", "filter.typed-values"),
    (text, json) => {
      expect(parseTextFilter(text)).toEqual(parseJsonFilter(json))
    },
  )

  it.each([
    ['metadata["key"]:"a"', '{"metadata.key":"a"}'],
    ['metadata.key:"a"', '{"metadata.key":"a"}'],
    ['data.metadata.key:"a"', '{"metadata.key":"a"}'],
    ['metadata["a.b"].c["d]"]:"a"', '{"metadata":{"a.b":{"c":{"d]":"a"}}}}'],
    ['custom_fields.größe-2.$x:"a"', '{"custom_fields.größe-2.$x":"a"}'],
    [
      'custom_fields.and:"a" AND custom_fields.in IN ["b"]',
      '{"custom_fields.and":"a","custom_fields.in":{"$in":["b"]}}',
    ],
  ])("reads the field of %s", verifies("filter.text.dotted", "filter.fields.data-prefix"), (text, json) => {
    expect(parseTextFilter(text)).toEqual(parseJsonFilter(json))
  })

  it.each([
    ['-name:"a"', '{"$not":{"name":"a"}}'],
    ['- name:"a"', '{"$not":{"name":"a"}}'],
    ['--name:"a"', '{"$not":{"$not":{"name":"a"}}}'],
    ['-name IN ["a"]', '{"$not":{"name":{"$in":["a"]}}}'],
    ['-(name:"a" OR id:"b")', '{"$not":{"$or":[{"name":"a"},{"id":"b"}]}}'],
    ['-name:"a" id:"b"', '{"$not":{"name":"a"},"id":"b"}'],
    ['id:"b" -name:"a"', '{"id":"b","$not":{"name":"a"}}'],
  ])("negates one term or group in %s", verifies("filter.text.negation"), (text, json) => {
    expect(parseTextFilter(text)).toEqual(parseJsonFilter(json))
  })

  it.each([
    ['name:"a" and id:"b"', '{"name":"a","id":"b"}'],
    ['name:"a" oR id:"b"', '{"$or":[{"name":"a"},{"id":"b"}]}'],
    ['name:"a" id:"b"', '{"name":"a","id":"b"}'],
    ['name:"a"id:"b"', '{"name":"a","id":"b"}'],
    ['name:"a" AND id:"b" OR project:"c"', '{"$or":[{"name":"a","id":"b"},{"project":"c"}]}'],
    ['name:"a" OR id:"b" project:"c"', '{"$or":[{"name":"a"},{"id":"b","project":"c"}]}'],
    ['name:"a" AND (id:"b" OR project:"c")', '{"name":"a","$or":[{"id":"b"},{"project":"c"}]}'],
    ['(name:"a" OR id:"b")(id:"c")', '{"$or":[{"name":"a"},{"id":"b"}],"id":"c"}'],
    ['((name:"a"))', '{"name":"a"}'],
  ])(
    "joins the terms of %s",
    verifies("filter.text.keywords", "filter.text.adjacent", "filter.text.precedence", "filter.text.groups"),
    (text, json) => {
      expect(parseTextFilter(text)).toEqual(parseJsonFilter(json))
    },
  )

  it.each([
    ['"a"', 0, "a field"],
    ["AND", 0, "a field"],
    ['NOT name:"a"', 0, "a field"],
    ['not name:"a"', 0, "a field"],
    ['name:"a" AND', 12, "a field"],
    ['name:"a" OR OR id:"b"', 12, "a field"],
    ["()", 1, "a field"],
    ["-", 1, "a field"],
    ['(name:"a"', 9, "AND, OR, a field or )"],
    ['name:"a")', 8, "AND, OR or a field"],
    ["name", 4, "an operator"],
    ['name "a"', 5, "an operator"],
    ['name="a"', 4, "an operator"],
    ['name!="a"', 4, "an operator (: ~ > >= < <=, IN, NOT IN) is expected, but it has '!='"],
    ['name NOT "a"', 9, "IN"],
    ["name:", 5, "a value"],
    ["name:dataset", 5, "a value"],
    ["name:'a'", 5, "a value"],
    ["name:True", 5, "a value"],
    ["name:--5", 5, "a value"],
    ["custom_fields.a:05", 16, "a value"],
    ["name:[1]", 5, "a value"],
    ['name IN "a"', 8, "a list"],
    ['name IN ["a"', 12, ", or ]"],
    ['name IN ["a",]', 13, "a value"],
    ['name IN [["a"]]', 9, "a value"],
    ["metadata[key]:1", 9, "a key in double quotes"],
    ['metadata["key":1', 14, "]"],
    ['name:"a', 5, "a string needs"],
    [String.raw`name:"\x"`, 5, "a string needs"],
  ])("points at the position where %j can't be read", verifies("filter.unreadable"), (text, position, reason) => {
    expect(() => parseTextFilter(text)).toThrow(
      expect.objectContaining({
        code: "bad_filter",
        message: expect.stringContaining(`at position ${position} of filter: ${reason}`),
      }),
    )
  })

  it.each([
    ["foo:1", "foo"],
    ["custom_fields..a:1", "custom_fields..a"],
    ['custom_fields["a"]. :1', 'custom_fields["a"].'],
    ['name["x"]:1', 'name["x"]'],
    ["data.size:1", "data.size"],
    ["__proto__:1", "__proto__"],
  ])("refuses the unknown field of %s", verifies("filter.unknown-field"), (text, field) => {
    expect(() => parseTextFilter(text)).toThrow(`Unknown filter field '${field}'. Valid fields: [`)
  })

  it.each([
    ['purpose:"x"', ["purpose"], "enum", "x"],
    ["purpose:null", ["purpose"], "enum", null],
    ['name:"a" OR purpose IN ["model", "x"]', ["purpose", "$in", 1], "enum", "x"],
    ["name:5", ["name"], "string_type", 5],
    ['created_at>="soon"', ["created_at", "$gte"], "datetime_parsing", "soon"],
    ["-custom_fields.a~5", ["custom_fields.a", "$like"], "string_type", 5],
  ])(
    "refuses the value of %s and points at it",
    verifies("filter.wrong-type", "filter.unknown-enum", "filter.enum-null"),
    (text, path, type, input) => {
      expect(() => parseTextFilter(text)).toThrow(
        expect.objectContaining({
          code: "invalid_request",
          issues: [expect.objectContaining({ loc: ["query", "filter", ...path], type, input })],
        }),
      )
    },
  )
})

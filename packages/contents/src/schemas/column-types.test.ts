import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { guessTypes, readField } from "../formats/csv/read-field.ts"
import { columnTypesOf } from "./column-types.ts"
import type { JsonSchema } from "./json-schema.ts"

const ALL = ["null", "boolean", "integer", "number", "string", "array", "object"]

function typesOf(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>> = {}): readonly string[] {
  return [...columnTypesOf(schema, definitions)("a")]
}

describe("the types that a schema allows for a column", () => {
  it.each<[string, JsonSchema, readonly string[]]>([
    ["no constraint", {}, ALL],
    ["another property", { properties: { b: { type: "integer" } } }, ALL],
    ["a name that every object inherits", { properties: { constructor: { type: "integer" } } }, ALL],
    ["a type", { properties: { a: { type: "integer" } } }, ["integer"]],
    ["number includes integer", { properties: { a: { type: "number" } } }, ["integer", "number"]],
    ["types", { properties: { a: { type: ["null", "boolean"] } } }, ["null", "boolean"]],
    ["enum", { properties: { a: { enum: [1, null] } } }, ["null", "integer"]],
    ["const", { properties: { a: { const: "x" } } }, ["string"]],
    ["anyOf", { properties: { a: { anyOf: [{ type: "null" }, { type: "integer" }] } } }, ["null", "integer"]],
    ["anyOf with all", { properties: { a: { anyOf: [{ type: "null" }, {}] } } }, ALL],
    ["allOf", { properties: { a: { allOf: [{ type: ["null", "number"] }, { type: "integer" }] } } }, ["integer"]],
    ["$ref", { properties: { a: { $ref: "#/$defs/x~1y" } }, $defs: { "x/y": { type: "integer" } } }, ["integer"]],
    ["$ref to itself", { properties: { a: { $ref: "#/properties/a" } } }, ALL],
    ["broken $ref", { properties: { a: { $ref: "#/$defs/x" } } }, ALL],
    ["a schema of the whole row", { allOf: [{ properties: { a: { type: "integer" } } }] }, ["integer"]],
  ])("are found: %s", (_name, schema, types) => {
    expect(typesOf(schema)).toEqual(types)
  })

  it("are found in definitions, whose own references stay their own", () => {
    const id = { $ref: "#/$defs/int", $defs: { int: { type: "integer" } } }
    expect(typesOf({ properties: { a: { $ref: "#/schema_defs/id" } } }, { id })).toEqual(["integer"])
    expect(
      typesOf({ $ref: "#/schema_defs/row" }, { row: { properties: { a: { $ref: "#/schema_defs/id" } } }, id }),
    ).toEqual(["integer"])
  })
})

describe("a CSV field", () => {
  it.each([
    ["1", ["string", "integer"], "1"],
    ["1", ["integer"], 1],
    ["-1.50e1", ["integer", "number"], -15],
    ["01", ["integer"], "01"],
    ["1e999", ["number"], "1e999"],
    [" 1", ["integer"], " 1"],
    ["", ["integer"], undefined],
    ["", ["integer", "null"], null],
    ["", ["string", "null"], ""],
    ["True", ["boolean"], true],
    ["FALSE", ["boolean"], false],
    ["yes", ["boolean"], "yes"],
    ['[1,"x"]', ["array"], [1, "x"]],
    ["[1", ["array"], "[1"],
    ['{"a":1}', ["object"], { a: 1 }],
    ['{"a":1}', ["array"], '{"a":1}'],
    ["null", ["null"], "null"],
  ] as const)("%j in a column of %j becomes %j", (text, types, value) => {
    expect(readField(text, new Set(types), { kept: "value", decimal: "." })).toEqual(value)
  })
})

describe("a schema that reaches the same schema in many ways", () => {
  it("is examined in linear time", verifies("contents.schemas.bounded"), () => {
    const $defs: Record<string, JsonSchema> = { a20: { properties: { a: { type: "integer" } } } }
    for (let index = 0; index < 20; index++) {
      const next = { $ref: `#/$defs/a${index + 1}` }
      $defs[`a${index}`] = { anyOf: [next, next], allOf: [next, next] }
    }
    expect(typesOf({ $ref: "#/$defs/a0", $defs })).toEqual(["integer"])
  })

  it("is examined for a bounded number of columns", () => {
    const branches = Array.from({ length: 20_000 }, () => ({ properties: {} }))
    const number = { type: "integer" }
    const typesOfColumn = columnTypesOf({ properties: { first: number, last: number }, anyOf: branches }, {})
    expect([...typesOfColumn("first")]).toEqual(["integer"])
    for (let column = 0; column < 50; column++) expect(typesOfColumn(String(column)).size).toBe(7)
    // After a million steps, every type is allowed for a column.
    expect(typesOfColumn("last").size).toBe(7)
  })
})

describe("the guessed type of a column", () => {
  it.each([
    [["1", "", "-20"], ["integer"]],
    [["1", "2.5"], ["number"]],
    [["true", "False"], ["boolean"]],
    [["true", "1"], ["string"]],
    [["007"], ["string"]],
    [["12345678901234567890"], ["string"]],
    [["", ""], ["string"]],
  ])("of %j is %j", (texts, types) => {
    expect([...guessTypes(texts)]).toEqual(types)
  })
})

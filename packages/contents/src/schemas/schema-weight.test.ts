import { describe, expect, it } from "vitest"
import { DIALECT_ADDRESSES } from "./compile/dialect.ts"
import type { JsonSchema } from "./json-schema.ts"
import { schemaWeight } from "./schema-weight.ts"

const ordinary = {
  $schema: DIALECT_ADDRESSES["2020-12"],
  type: "object",
  properties: { id: { type: "integer", minimum: 0 }, tags: { items: { enum: ["a", "b", "c"] } } },
  required: ["id"],
  additionalProperties: false,
}

function deep(levels: number): JsonSchema {
  return levels === 0 ? {} : { items: deep(levels - 1) }
}

describe("the weight of row schemas", () => {
  it("is the number of checks in the part with most checks", () => {
    // The object itself, `type`, two properties, `required` with its list and its name, and `additionalProperties`.
    expect(schemaWeight({ schema: ordinary })).toBe(7)
    expect(schemaWeight({ schema: { enum: Array.from({ length: 50 }, (_, index) => index) } })).toBe(52)
    expect(schemaWeight({ schema: "row", schema_defs: { row: ordinary }, schemas_by_path: { "*": "row" } })).toBe(7)
    expect(schemaWeight({})).toBe(1)
  })

  it.each<[string, JsonSchema]>([
    ["reference", { properties: { a: { $ref: "#" } } }],
    ["dynamic reference", { $dynamicRef: "#a" }],
    ["alternative", { items: { anyOf: [{ minimum: 1 }] } }],
    ["combination", { allOf: [{ minimum: 1 }] }],
    ["pattern", { pattern: "a+" }],
    ["pattern of names", { patternProperties: { "a+": {} } }],
    ["list of items", { items: [{}] }],
    ["property that is a prototype", { properties: JSON.parse('{"__proto__":{}}') }],
    ["unknown keyword", { whatever: 1 }],
    ["nesting of 100 levels", deep(100)],
  ])("is unknown for a schema with a %s", (_name, schema) => {
    expect(schemaWeight({ schema })).toBe(Number.POSITIVE_INFINITY)
  })
})

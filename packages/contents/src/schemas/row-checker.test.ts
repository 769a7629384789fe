import { describe, expect, it } from "vitest"
import { compileRowSchema } from "./compile-row-schema.ts"
import { DIALECT_ADDRESSES } from "./dialect.ts"
import type { JsonSchema } from "./json-schema.ts"
import { createRowChecker } from "./row-checker.ts"
import { createSchemaSyntax } from "./schema-syntax.ts"

function checker(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>> = {}) {
  return createRowChecker("row", schema, definitions)
}

describe("a row schema", () => {
  it.each<[JsonSchema, unknown, string, string]>([
    [{ type: "integer" }, "7", "", 'must be integer; it is "7"'],
    [{ properties: { a: { items: { maximum: 1 } } } }, { a: [0, 3.5] }, "/a/1", "must be <= 1; it is 3.5"],
    [{ required: ["a"] }, {}, "", "must have required property 'a'"],
    [{ additionalProperties: false }, { "x/y": 1 }, "", "must NOT have the property 'x/y'"],
    [{ enum: ["a", "b"] }, "c", "", 'must be one of ["a","b"]; it is "c"'],
    [{ const: 1 }, 2, "", "must be 1; it is 2"],
    [{ type: "string" }, [1], "", "must be string; it is an array"],
    [{ pattern: "^a" }, "b".repeat(100), "", `must match pattern "^a"; it is "${"b".repeat(59)}…`],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "",
      "must NOT have equal items; it is an array",
    ],
    [{ properties: { "a/b~": { type: "null" } } }, { "a/b~": 1 }, "/a~1b~0", "must be null; it is 1"],
  ])("%j says of %j what is wrong", (schema, row, pointer, message) => {
    const { isValid, listFaults } = checker(schema)
    expect(isValid(row)).toBe(false)
    expect(listFaults(row)).toEqual([{ pointer, message }])
  })

  it("tells all that is wrong with a row, but only the first of what is wrong with a huge one", () => {
    const { listFaults } = checker({ items: { type: "string" } })
    expect(listFaults([1, "x", 2])).toHaveLength(2)
    expect(listFaults(Array.from({ length: 20_000 }, () => 1))).toHaveLength(1)
  })

  it("is read as its draft has it, 2020-12 where none is named [contents.schemas.dialects]", () => {
    const tuple = { items: [{ type: "integer" }] }
    expect(checker({ ...tuple, $schema: DIALECT_ADDRESSES["draft-07"] }).isValid(["x"])).toBe(false)
    const unchecked = { allErrors: false, syntax: createSchemaSyntax() }
    expect(() => compileRowSchema(tuple, {}, unchecked)).toThrow("is not JSON Schema 2020-12")
    expect(checker({ prefixItems: [{ type: "integer" }] }).isValid(["x"])).toBe(false)
    expect(checker({ $schema: `${DIALECT_ADDRESSES["2020-12"].replace("https", "http")}#` }).isValid(1)).toBe(true)
  })

  it("reaches definitions, each a document of its own [contents.schemas.references]", () => {
    const definitions = {
      chat: {
        type: "array",
        items: { $ref: "#/$defs/message" },
        $defs: { message: { $ref: "#/schema_defs/a~1b/$defs/m" } },
      },
      "a/b": { $defs: { m: { required: ["role"] } } },
    }
    const schema = {
      properties: { chat: { $ref: "#/schema_defs/chat" }, id: { $ref: "#/$defs/id" } },
      $defs: { id: { type: "integer" } },
      // A value, not a reference.
      default: { $ref: "#/schema_defs/nothing" },
    }
    const { isValid } = checker(schema, definitions)
    expect(isValid({ id: 1, chat: [{ role: "user" }] })).toBe(true)
    expect(isValid({ chat: [{}] })).toBe(false)
    expect(isValid({ id: "1" })).toBe(false)
  })

  it("may refer to itself, as deep as the stack is", () => {
    const { isValid, listFaults } = checker({ properties: { next: { $ref: "#" } } })
    expect(isValid({ next: { next: {} } })).toBe(true)
    const deep = JSON.parse('{"next":'.repeat(100_000) + "1" + "}".repeat(100_000)) as unknown
    expect(isValid(deep)).toBe(false)
    expect(listFaults(deep)).toEqual([{ pointer: "", message: "is nested too deep to be held against its schema" }])
  })

  it("knows a property of the row from one that every object has", () => {
    const { isValid } = checker({ properties: { constructor: { type: "string" } }, required: ["toString"] })
    expect(isValid({ toString: 1 })).toBe(true)
    expect(isValid({})).toBe(false)
    expect(isValid({ toString: 1, constructor: 1 })).toBe(false)
  })

  it("takes formats and unknown keywords for annotations", () => {
    expect(checker({ format: "email", "x-note": 1 }).isValid("nobody")).toBe(true)
  })

  it("tells its patterns apart", () => {
    const { isValid } = checker({
      properties: { a: { pattern: "^a" }, b: { pattern: "^b" } },
      patternProperties: { "^c": false },
    })
    expect([{ a: "a", b: "b" }, { a: "b" }, { b: "a" }, { c: 1 }].map((row) => isValid(row))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it("never hangs on a pattern, nor on items that have to be unique", () => {
    const { isValid } = checker({ properties: { a: { pattern: "^(a+)+$" }, b: { uniqueItems: true } } })
    expect(isValid({ a: `${"a".repeat(50_000)}!` })).toBe(false)
    expect(isValid({ b: Array.from({ length: 50_000 }, (_, index) => ({ index })) })).toBe(true)
  })
})

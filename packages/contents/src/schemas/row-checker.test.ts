import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileRowSchema } from "./compile/compile-row-schema.ts"
import { createSchemaSyntax } from "./compile/create-ajv.ts"
import { DIALECT_ADDRESSES } from "./compile/dialect.ts"
import type { JsonSchema } from "./json-schema.ts"
import { createRowChecker } from "./row-checker.ts"

/** A part that makes a schema need the interpreter instead of Ajv. */
const COMPLETE = { $defs: { other: { $id: "other" } } }

function checker(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>> = {}) {
  return createRowChecker("row", schema, definitions)
}

describe("a row schema", () => {
  it("is too costly if its compilation exhausts the stack", () => {
    const anyOf = Array.from({ length: 20_000 }, (_, index) => ({ minimum: index }))
    expect(() => compileRowSchema({ anyOf }, {}, { allErrors: false, syntax: null })).toThrow(
      expect.objectContaining({ code: "schema_too_costly", message: expect.stringContaining("fewer alternatives") }),
    )
  })

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
  ])("%j reports for %j the same faults with and without generated code", (schema, row, pointer, message) => {
    for (const { isValid, listFaults, listBrokenRules } of [checker(schema), checker({ ...schema, ...COMPLETE })]) {
      expect(isValid(row)).toBe(false)
      expect(listFaults(row)).toEqual([{ pointer, message }])
      expect(listBrokenRules(row)).toEqual([{ pointer, message: message.replace(/; it is .*$/u, "") }])
    }
  })

  it.each<[JsonSchema, unknown, string, string]>([
    [{ properties: { a: {} }, unevaluatedProperties: false }, { b: 1 }, "", "must NOT have the property 'b'"],
    [
      { prefixItems: [{}], unevaluatedItems: false },
      [1, 2],
      "",
      "must NOT have item 1, which no other keyword allows; it is an array",
    ],
    [
      { properties: { ["__proto__"]: { type: "null" } } },
      JSON.parse('{"__proto__":1}'),
      "/__proto__",
      "must be null; it is 1",
    ],
  ])("%j reports for %j a fault that Ajv does not find", (schema, row, pointer, message) => {
    expect(checker(schema).listFaults(row)).toEqual([{ pointer, message }])
  })

  it("gives the same result with and without generated code", () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    const schemaOf = (depth: number): fc.Arbitrary<JsonSchema> => {
      const part = depth === 0 ? fc.constantFrom<JsonSchema>({}, { type: "integer" }) : schemaOf(depth - 1)
      const parts = fc.array(part, { minLength: 1, maxLength: 2 })
      const named = (...names: string[]) => fc.dictionary(fc.constantFrom(...names), part, { noNullPrototype: true })
      const keywords: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
        type: fc.constantFrom("integer", "number", "string", "object", "array", "null", ["boolean", "string"]),
        enum: fc.array(value, { minLength: 1, maxLength: 3 }),
        minimum: fc.integer({ min: -3, max: 3 }),
        multipleOf: fc.constantFrom(1, 2, 0.5),
        maxLength: fc.nat(4),
        pattern: fc.constantFrom("^a", "b$"),
        required: fc.subarray(["a", "b", "c"]),
        minProperties: fc.nat(3),
        properties: named("a", "b"),
        patternProperties: named("^a", "c"),
        additionalProperties: fc.oneof(fc.boolean(), part),
        prefixItems: parts,
        items: part,
        contains: part,
        maxItems: fc.nat(3),
        uniqueItems: fc.boolean(),
        anyOf: parts,
        oneOf: parts,
        not: part,
        if: part,
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: part,
      }
      const pairs = Object.entries(keywords).map(([key, values]) => values.map((one) => [key, one] as const))
      return fc.array(fc.oneof(...pairs), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))
    }
    const rows = fc.array(fc.oneof(value, fc.dictionary(fc.constantFrom("a", "b", "c"), value)), { maxLength: 6 })
    fc.assert(
      fc.property(schemaOf(2), rows, (one, texts) => {
        const [fast, complete] = [checker(one), checker({ ...one, ...COMPLETE })]
        for (const row of texts) {
          const plain = JSON.parse(JSON.stringify(row)) as unknown
          expect(complete.isValid(plain)).toBe(fast.isValid(plain))
          expect(complete.listFaults(plain).length === 0).toBe(fast.isValid(plain))
        }
      }),
      { numRuns: 150 },
    )
  })

  it("refuses an empty array that must contain an item, even if its first items have schemas", () => {
    const { isValid } = checker({ contains: { type: "integer" }, prefixItems: [{ type: "string" }] })
    expect([isValid([]), isValid(["a", 1])]).toEqual([false, true])
  })

  it("accepts a row on which Ajv's default code fails", () => {
    const { isValid, listFaults } = checker({
      patternProperties: { c: {} },
      oneOf: [{ additionalProperties: false }, {}],
    })
    expect(isValid({ c: [] })).toBe(true)
    expect(listFaults({ c: [] })).toEqual([])
  })

  it("reports all faults of a row, but only the first of a huge row", () => {
    const { listFaults } = checker({ items: { type: "string" } })
    expect(listFaults([1, "x", 2])).toHaveLength(2)
    expect(listFaults(Array.from({ length: 20_000 }, () => 1))).toHaveLength(1)
  })

  it("is read as its draft, which is 2020-12 by default", verifies("contents.schemas.dialects"), () => {
    const tuple = { items: [{ type: "integer" }] }
    expect(checker({ ...tuple, $schema: DIALECT_ADDRESSES["draft-07"] }).isValid(["x"])).toBe(false)
    const unchecked = { allErrors: false, syntax: createSchemaSyntax() }
    expect(() => compileRowSchema(tuple, {}, unchecked)).toThrow("is not JSON Schema 2020-12")
    expect(checker({ prefixItems: [{ type: "integer" }] }).isValid(["x"])).toBe(false)
    expect(checker({ $schema: `${DIALECT_ADDRESSES["2020-12"].replace("https", "http")}#` }).isValid(1)).toBe(true)
  })

  it("reaches definitions, each of which is a document of its own", verifies("contents.schemas.references"), () => {
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
      // A value and not a reference.
      default: { $ref: "#/schema_defs/nothing" },
    }
    const { isValid } = checker(schema, definitions)
    expect(isValid({ id: 1, chat: [{ role: "user" }] })).toBe(true)
    expect(isValid({ chat: [{}] })).toBe(false)
    expect(isValid({ id: "1" })).toBe(false)
  })

  it("may refer to itself, as deep as the stack allows", () => {
    const { isValid, listFaults } = checker({ properties: { next: { $ref: "#" } } })
    expect(isValid({ next: { next: {} } })).toBe(true)
    const deep = JSON.parse('{"next":'.repeat(100_000) + "1" + "}".repeat(100_000)) as unknown
    expect(isValid(deep)).toBe(false)
    expect(listFaults(deep)).toEqual([
      { pointer: "", message: "is nested too deeply to be checked against its schema" },
    ])
  })

  it("distinguishes a property of the row from one that every object inherits", () => {
    const { isValid } = checker({ properties: { constructor: { type: "string" } }, required: ["toString"] })
    expect(isValid({ toString: 1 })).toBe(true)
    expect(isValid({})).toBe(false)
    expect(isValid({ toString: 1, constructor: 1 })).toBe(false)
  })

  it("treats formats and unknown keywords as annotations", () => {
    expect(checker({ format: "email", "x-note": 1 }).isValid("nobody")).toBe(true)
  })

  it("distinguishes its patterns", () => {
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

  it("never hangs on a pattern or on unique items", () => {
    const { isValid } = checker({ properties: { a: { pattern: "^(a+)+$" }, b: { uniqueItems: true } } })
    expect(isValid({ a: `${"a".repeat(50_000)}!` })).toBe(false)
    expect(isValid({ b: Array.from({ length: 50_000 }, (_, index) => ({ index })) })).toBe(true)
  })
})

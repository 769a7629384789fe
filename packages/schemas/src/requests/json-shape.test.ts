import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { findJsonExcess, JSON_LIMITS } from "@assay/json"
import { checkJsonShape } from "./json-shape.ts"

/** Returns the levels of a value, measured on the value and not on its text. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function nested(depth: number, kind: "list" | "object", inner: unknown = 1): unknown {
  let value = inner
  for (let level = 0; level < depth; level++) value = kind === "list" ? [value] : { a: value }
  return value
}

describe("the shape of JSON text", () => {
  it("finds an excess of depth exactly where a parsed value is deeper than the limit", verifies("input.depth"), () => {
    const value = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" })
    const levels = fc.integer({ min: 50, max: 80 })
    fc.assert(
      fc.property(levels, fc.constantFrom("list", "object"), value, fc.boolean(), (depth, kind, inner, isIndented) => {
        const whole = nested(depth, kind, inner)
        const text = JSON.stringify(whole, null, isIndented ? 2 : 0)
        expect(findJsonExcess(text)?.limit).toBe(depthOf(whole) > JSON_LIMITS.depth ? "depth" : undefined)
      }),
      { numRuns: 300 },
    )
  })

  it("ignores brackets, quotes and backslashes inside strings", verifies("input.depth"), () => {
    const tricky = fc.array(fc.constantFrom("[", "{", '"', "\\", "]", "}", ":", "a"), { maxLength: 300 })
    fc.assert(
      fc.property(tricky, tricky, (keys, values) => {
        const text = JSON.stringify({ [keys.join("")]: values.join(""), padding: "x".repeat(64) })
        expect(findJsonExcess(text)).toBeUndefined()
      }),
    )
  })

  it("measures any text without failing, at any depth of brackets", verifies("input.depth"), () => {
    const garbage = fc.array(fc.constantFrom("[", "{", '"', "\\", "]", "}", ":", ",", "a", "\u0000"), {
      maxLength: 2000,
    })
    fc.assert(
      fc.property(garbage, (pieces) => {
        expect(() => findJsonExcess(pieces.join(""))).not.toThrow()
      }),
    )
    expect(findJsonExcess("[".repeat(8_000_000))).toEqual({ limit: "depth", position: 64 })
    expect(findJsonExcess(`${"]".repeat(100)}${"[".repeat(200)}`)?.limit).toBe("depth")
  })

  it("refuses more objects, lists and keys than the limit, and names the location", verifies("input.parts"), () => {
    const lists = `[${"[],".repeat(JSON_LIMITS.parts)}1]`
    expect(findJsonExcess(lists)).toEqual({ limit: "parts", position: 1 + 3 * (JSON_LIMITS.parts - 1) })
    const message =
      /^body\.a: The JSON has more than 250000 objects, lists and keys at position \d+; send it in several/
    expect(() => checkJsonShape(lists, ["body", "a"])).toThrow(message)
  })

  it("refuses more elements than the limit", verifies("input.parts"), () => {
    const numbers = (count: number) => `[${"1,".repeat(count - 1)}1]`
    expect(findJsonExcess(numbers(JSON_LIMITS.values))).toBeUndefined()
    expect(findJsonExcess(numbers(JSON_LIMITS.values + 1))).toEqual({
      limit: "values",
      position: 2 * JSON_LIMITS.values,
    })
    expect(() => checkJsonShape(numbers(600_000), ["body"])).toThrow("has more than 500000 elements and properties")
  })

  it(
    "refuses an object with more keys than the limit, but not the same number of keys in several objects",
    verifies("input.parts"),
    () => {
      const object = (count: number) => `{${Array.from({ length: count }, (_, key) => `"${key}":{"a":1}`).join(",")}}`
      const { keys } = JSON_LIMITS
      expect(findJsonExcess(object(keys))).toBeUndefined()
      expect(findJsonExcess(`[${object(keys)},${object(keys)}]`)).toBeUndefined()
      expect(findJsonExcess(object(keys + 1))?.limit).toBe("keys")
      expect(() => checkJsonShape(object(keys + 1), ["body"])).toThrow("has an object of more than 20000 keys")
    },
  )
})

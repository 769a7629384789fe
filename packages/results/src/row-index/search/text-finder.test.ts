import { runBounded } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createTextFinder } from "./text-finder.ts"

describe("a finder of texts", () => {
  it("finds parts as String.includes does, also long ones that repeat themselves", () => {
    const fewLetters = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 5 })
    const repeated = fc.tuple(fewLetters, fc.integer({ min: 1, max: 20 })).map(([text, times]) => text.repeat(times))
    const anyPart = fc.tuple(repeated, fewLetters).map(([start, end]) => start + end)
    fc.assert(
      fc.property(
        fc.array(anyPart, { minLength: 1, maxLength: 4 }),
        fc.array(anyPart, { maxLength: 4 }),
        (parts, texts) => {
          const finder = createTextFinder(parts)
          for (const text of texts) finder.read(text)
          expect(finder.end()).toBe(parts.every((part) => texts.some((text) => text.includes(part))))
          expect(finder.end()).toBe(false)
        },
      ),
      { numRuns: 300 },
    )
  })

  it("searches in linear time, whatever the parts and texts are", () => {
    const finder = createTextFinder(Array.from({ length: 5 }, (_, at) => `${"a".repeat(400 + at)}b${"a".repeat(499)}`))
    const found = runBounded(() => {
      for (let row = 0; row < 4; row++) finder.read("a".repeat(1_000_000))
      return finder.end()
    })
    expect(found).toBe(false)
  })
})

import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cutText } from "../testing/cut-text.ts"
import { pieceSizes } from "../testing/overwritten-pieces.ts"

/** Generates bytes that are almost a row file of some kind. */
const bytes = fc
  .array(
    fc.oneof(
      {
        weight: 12,
        arbitrary: fc.constantFrom("[", "]", "{", "}", '"', ",", ":", "1", "t", "\\", " ", "\n", "\r", "\t"),
      },
      { weight: 3, arbitrary: fc.constantFrom('{"a":1}', "[1]", "null", '"x"', "\ufeff", "ü", "\u{1f600}") },
    ),
    { maxLength: 40 },
  )
  .chain((parts) =>
    fc.record({
      text: fc.constant(Buffer.from(parts.join(""))),
      at: fc.nat(60),
      byte: fc.constantFrom(0xff, 0xc3, 0x80),
    }),
  )
  .map(({ text, at, byte }) => Uint8Array.from(text, (own, index) => (index === at ? byte : own)))

describe.each(["lines", "json", "csv", "tsv"] as const)("invalid bytes %s", (encoding) => {
  it("give the same rows for all piece sizes, in order and within the file", async () => {
    await fc.assert(
      fc.asyncProperty(bytes, pieceSizes, fc.integer({ min: 1, max: 50 }), async (given, sizes, bufferBytes) => {
        const whole = await cutText(given, encoding, { sizes: [1000], bufferBytes: 1000 })
        expect(await cutText(given, encoding, { sizes, bufferBytes })).toEqual(whole)
        expect(whole.map(({ row_index }) => row_index)).toEqual(whole.map((_, index) => index))
        const offsets = whole.map(({ offset }) => offset ?? -1)
        expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
        expect(offsets.every((offset) => offset >= 0 && offset <= given.length)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

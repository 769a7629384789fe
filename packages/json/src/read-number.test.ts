import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { describeRange, NUMBER_RANGES } from "./number-ranges.ts"
import { readNumber, readWholeNumber } from "./read-number.ts"

describe("a number from outside", () => {
  it("is read as JSON reads it", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(readNumber(JSON.stringify(value))).toBe(value + 0)
      }),
    )
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(readWholeNumber(String(value))).toBe(value + 0)
      }),
    )
  })

  it.each([
    "",
    " ",
    " 1",
    "0x1",
    "0b1",
    "1_0",
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "+1",
    "1.",
    ".5",
    "٣",
    "1n",
    "1,5",
    "1".repeat(101),
  ])("is not the text '%s'", (text) => {
    expect([readNumber(text), readWholeNumber(text)]).toEqual([undefined, undefined])
  })

  it("is whole without a fraction or an exponent, up to 2^53 − 1", () => {
    for (const text of ["1.0", "1e2", "9007199254740992", "9223372036854775808"]) {
      expect([text, readWholeNumber(text)]).toEqual([text, undefined])
    }
    expect([readWholeNumber("-0"), readNumber("-0"), readWholeNumber("9007199254740991")]).toEqual([0, 0, 2 ** 53 - 1])
  })

  it("has a range in words", () => {
    expect(describeRange(NUMBER_RANGES.page)).toBe("a whole number from 1 to 1000000000")
    expect(describeRange(NUMBER_RANGES.money)).toBe("a number above 0 and at most 1000000000000")
    expect(describeRange({ type: ["integer", "null"], minimum: 3 })).toBe("a whole number of at least 3")
    expect(describeRange({ type: "number" })).toBe("a number")
  })
})

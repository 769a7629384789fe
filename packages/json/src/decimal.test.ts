import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalDecimal, compareDecimals, isDecimalMultiple, isWholeDecimal, isWithin } from "./decimal.ts"

describe("numbers given as text", () => {
  it("are ordered by all of their digits", () => {
    const ordered = [
      "-1e30",
      "-9007199254740993",
      "-9007199254740992",
      "-0.5",
      "0",
      "1e-400",
      "0.1",
      "0.1000000000000000000001",
      "9007199254740992",
      "9007199254740993",
      "1e400",
    ]
    for (const [at, one] of ordered.entries()) {
      for (const [decimal, other] of ordered.entries())
        expect(compareDecimals(one, other)).toBe(Math.sign(at - decimal))
    }
    expect(compareDecimals("1.50", "15e-1")).toBe(0)
    expect(compareDecimals("-0", "0.000")).toBe(0)
    expect(compareDecimals("1e99999999999999999999", "2")).toBe(1)
  })

  it("are ordered like JavaScript numbers if those represent them exactly", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (a, b) => {
          expect(compareDecimals(String(a), String(b))).toBe(a < b ? -1 : a > b ? 1 : 0)
          expect(canonicalDecimal(String(a)) === canonicalDecimal(String(b))).toBe(a === b)
          expect(isWholeDecimal(String(a))).toBe(Number.isInteger(a))
        },
      ),
    )
  })

  it("are compared as integers of their smallest position for multiples and distances", () => {
    expect(isDecimalMultiple("12345678901234567890", "10")).toBe(true)
    expect(isDecimalMultiple("12345678901234567891", "10")).toBe(false)
    expect(isDecimalMultiple("0.3", "0.1")).toBe(true)
    expect(isDecimalMultiple("0", "7")).toBe(true)
    expect(isDecimalMultiple("1e30", "7")).toBe(false)
    expect(isDecimalMultiple(`0.${"1".repeat(20_000)}`, "0.1")).toBe(false)
    expect(isWithin("1234567890123456789", "1234567890123456788", "1")).toBe(true)
    expect(isWithin("1234567890123456789", "1234567890123456787", "1")).toBe(false)
    expect(isWithin("1e5000000000", "1", "5")).toBe(false)
  })
})

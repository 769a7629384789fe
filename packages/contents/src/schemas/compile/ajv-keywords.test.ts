import { assert, integer, property } from "fast-check"
import { describe, expect, it } from "vitest"
import { isMultipleOf } from "./ajv-keywords.ts"
import { createAjv } from "./create-ajv.ts"

describe("multipleOf of a row schema", () => {
  it.each([
    [0.3, 0.1, true],
    [1e21, 1, true],
    [1e308, 0.123456789, false],
    [12_391_239_123, 1e-8, true],
    [0.00751, 0.0001, false],
    [-4.5, 1.5, true],
    [0, 0.7, true],
    [5e-324, 1e300, false],
  ])("decides as for decimals whether %d is a multiple of %d", (value, limit, expected) => {
    expect(isMultipleOf(value, limit)).toBe(expected)
    const validate = createAjv("2020-12").compile({ multipleOf: limit })
    expect(validate(value)).toBe(expected)
  })

  it("names the limit in its message", () => {
    const validate = createAjv("2020-12").compile({ multipleOf: 0.5 })
    validate(0.3)
    expect(validate.errors?.[0]?.message).toBe("must be multiple of 0.5")
  })

  it("accepts every product of a limit in hundredths", () =>
    assert(
      property(integer({ min: 1, max: 10_000 }), integer({ min: -10_000, max: 10_000 }), (hundredths, times) => {
        expect(isMultipleOf(Number(`${hundredths * times}e-2`), Number(`${hundredths}e-2`))).toBe(true)
      }),
    ))
})

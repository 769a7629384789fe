import * as fc from "fast-check"
import { expect, it } from "vitest"
import { isShortestFraction } from "./shortest-fraction.ts"

const isShortest = (text: string) => isShortestFraction(Buffer.from(`[-${text}]`), 2, 2 + text.length)
const size = fc.integer({ min: -6, max: 11 }).map((power) => 10 ** power)
const value = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), size).map(([share, unit]) => share * unit)

it("isShortestFraction accepts a fraction only if JavaScript writes it in the same way", () => {
  let shown = 0
  const check = (text: string) => {
    if (!/^\d+\.\d+$/.test(text) || !isShortest(text)) return
    shown++
    expect(String(Number(text))).toBe(text)
  }
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 9 }), (number, digit) => {
      const text = String(number)
      check(text)
      // Neighbours of the shortest text, and longer texts.
      check(`${text.slice(0, -1)}${digit}`)
      check(`${text}${digit}`)
      for (const digits of [15, 16, 17, 18]) check(number.toPrecision(digits))
    }),
    { numRuns: 20_000 },
  )
  expect(shown).toBeGreaterThan(4000)
})

it("isShortestFraction accepts most fractions of 16 and 17 digits, and none with another character", () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => Math.abs(Math.sin(index + 1)))
  expect(numbers.filter((number) => isShortest(String(number))).length).toBeGreaterThan(900)
  for (const text of [
    "1.2345678901234e5",
    "12345678901234567",
    "0.123.5678901234567",
    "0.10000000000000001",
    "0.5000000000000000",
  ]) {
    expect(isShortest(text), text).toBe(false)
  }
})

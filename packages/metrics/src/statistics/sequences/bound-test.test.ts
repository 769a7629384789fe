import { describe, expect, it } from "vitest"
import { sequenceSamples } from "../../testing/sequence-samples.ts"
import { createBoundTest } from "./bound-test.ts"

const { binary, graded, holes } = sequenceSamples()

/** Returns the number of the row with which a mean above `bound` is proven; undefined if it is not. */
function provenAt(values: readonly number[], bound: number, population: number): number | undefined {
  const test = createBoundTest(bound, { population, alpha: 0.05 })
  const at = values.findIndex((value) => test.add(Float64Array.of(value)))
  return at === -1 ? undefined : at + 1
}
const mirrored = (values: readonly number[]) => values.map((value) => 1 - value)

describe("a test of a bound", () => {
  // From an independent implementation in Python, with exact sums and wealth as logarithms.
  it.each<readonly [string, readonly number[], number, Readonly<Record<number, number | undefined>>]>([
    ["0 or 1", binary, 1000, { 0.3: 8, 0.45: 9, 0.6: 12, 0.7: 28, 0.75: 85, 0.8: undefined }],
    ["eighths", graded, 400, { 0.3: 30, 0.4: 55, 0.45: 144, 0.6: undefined }],
    ["0, 1 or none", holes, 2000, { 0.3: 24, 0.45: 34, 0.6: 53, 0.7: 105, 0.75: 217, 0.8: undefined }],
    ["0 or 1, mirrored", mirrored(binary), 1000, { 0.45: undefined, 0.05: 101, 0.03: 64 }],
    ["eighths, mirrored", mirrored(graded), 400, { 0.45: 161, 0.4: 63, 0.05: 13 }],
  ])("with values of %s is proven with the same row as in another implementation", (_, values, population, proven) => {
    const found = Object.keys(proven).map((bound) => [bound, provenAt(values, Number(bound), population)])
    expect(Object.fromEntries(found)).toEqual(proven)
  })

  it("gives the same answer for values in one piece", () => {
    const options = { population: 1000, alpha: 0.05 }
    expect(createBoundTest(0.75, options).add(Float64Array.from(binary))).toBe(true)
    expect(createBoundTest(0.75, options).add(Float64Array.from(binary.slice(0, 84)))).toBe(false)
  })

  it("is certain as soon as the other rows can't bring the mean down to the bound", () => {
    const few = { population: 10, alpha: 1e-9 }
    const ones = (count: number) => new Float64Array(count).fill(1)
    expect(createBoundTest(0.5, few).add(ones(5))).toBe(false)
    expect(createBoundTest(0.5, few).add(ones(6))).toBe(true)
  })

  it("survives a wealth that is too small for a number, and wins it back", () => {
    const test = createBoundTest(0.5, { population: 100_000, alpha: 0.05 })
    expect(test.add(new Float64Array(20_000))).toBe(false)
    expect(test.add(new Float64Array(80_000).fill(1))).toBe(true)
  })
})

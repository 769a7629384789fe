import { expect, it } from "vitest"
import { sequenceSamples } from "../../testing/sequence-samples.ts"
import { createConfidenceSequence } from "./confidence-sequence.ts"

const { binary, graded, holes } = sequenceSamples()

// From an independent implementation in Python.
it.each<readonly [string, readonly number[], number, readonly [number, number]]>([
  ["0 or 1", binary, 1000, [0.78229, 0.88756]],
  ["eighths", graded, 400, [0.47738, 0.53056]],
  ["0, 1 or none", holes, 2000, [0.78234, 0.89687]],
])("The interval of values of %s is that of another implementation", (_, values, population, [low, high]) => {
  const sequence = createConfidenceSequence({ population })
  for (const value of values) sequence.add(Number.isNaN(value) ? undefined : value)
  sequence.narrow()
  const found = sequence.interval()
  expect(found.low).toBeCloseTo(low, 3)
  expect(found.high).toBeCloseTo(high, 3)
  expect([found.confidence, found.method]).toEqual([0.95, "betting"])
})

it("The interval lies inside all earlier ones, and is a point when all rows are known", () => {
  const sequence = createConfidenceSequence({ population: 300, range: [-1, 1] })
  let last = sequence.interval()
  expect(last).toMatchObject({ low: -1, high: 1 })
  for (const value of graded) {
    sequence.add(2 * value - 1)
    const { low, high } = sequence.interval()
    expect(low).toBeGreaterThanOrEqual(last.low)
    expect(high).toBeLessThanOrEqual(last.high)
    last = sequence.interval()
  }
  sequence.narrow()
  expect(sequence.interval().low).toBeCloseTo(sequence.mean(), 9)
  expect(sequence.interval().high).toBeCloseTo(sequence.mean(), 9)
})

it("A value outside the range, and more rows than the set has, are refused", () => {
  const sequence = createConfidenceSequence({ population: 1 })
  expect(() => sequence.add(1.5)).toThrow("'1.5' is not possible; give a number from 0 to 1.")
  sequence.add(undefined)
  expect(sequence.mean()).toBeNaN()
  expect(() => sequence.add(1)).toThrow("at least the number of rows")
})

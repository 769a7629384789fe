import { expect, it } from "vitest"
import { sequenceSamples } from "../../testing/sequence-samples.ts"
import { anytimeInterval, createConfidenceSequence } from "./confidence-sequence.ts"

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

it("An interval of rows in random order is of all rows like these, or of their set if its size is given", () => {
  const values = Float64Array.from({ length: 60 }, (_, at) => (at % 4 === 0 ? 0 : 1))
  expect(anytimeInterval(values, 60)).toMatchObject({ low: 0.75, high: 0.75 })
  const all = anytimeInterval(values)
  expect(all.low).toBeLessThan(0.65)
  expect(all.high).toBeGreaterThan(0.82)
})

it("The interval of all rows is their mean to the last digit", () => {
  const sequence = createConfidenceSequence({ population: 111, range: [0, 5] })
  for (let at = 0; at < 111; at++) sequence.add(0.7)
  sequence.narrow()
  expect(sequence.mean()).toBe(0.7)
  expect(sequence.interval()).toMatchObject({ low: 0.7, high: 0.7 })
})

it("A value outside the range, and more rows than the set has, are refused", () => {
  const sequence = createConfidenceSequence({ population: 1 })
  expect(() => sequence.add(1.5)).toThrow("'1.5' is not possible; give a number from 0 to 1.")
  sequence.add(undefined)
  expect(sequence.mean()).toBeNaN()
  expect(() => sequence.add(1)).toThrow("at least the number of rows")
})

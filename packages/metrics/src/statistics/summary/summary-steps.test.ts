import { expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { compareSlices, compareSlicesInSteps } from "../slices/compare-slices.ts"
import { ITEMS_PER_STEP, type Steps } from "../steps.ts"
import { createSummary } from "./create-summary.ts"

const COUNT = 10 * ITEMS_PER_STEP
const random = createRandom(9)
const VALUES = Float64Array.from({ length: COUNT }, () => random() / 3)
const numbersBelow = (limit: number) => Uint32Array.from(VALUES, () => Math.floor(random() * limit))

/** Counts the steps of work, and returns its result. */
function countSteps<Result>(steps: Steps<Result>): { readonly steps: number; readonly result: Result } {
  for (let count = 1; ; count++) {
    const step = steps.next()
    if (step.done === true) return { steps: count, result: step.value }
  }
}

it("a summary of many values is computed in many steps, with the same result as at once", () => {
  const summary = createSummary()
  const rows = numbersBelow(COUNT / 5)
  for (const [at, value] of VALUES.entries()) summary.add(value, rows[at])
  const { steps, result } = countSteps(summary.resultInSteps())
  expect(steps).toBeGreaterThan(50)
  expect(result).toEqual(summary.result())
})

it("the values of a row have one sum in any order, also if they are many", () => {
  const values = VALUES.subarray(0, 5000)
  const rows = values.map((_, at) => (at < 4900 ? 0 : at % 20))
  const sumOf = (indexes: readonly number[]) => {
    const summary = createSummary({ areRepeats: true })
    for (const at of indexes) summary.add(values[at] ?? 0, rows[at])
    return summary.result()
  }
  const indexes = Array.from(values.keys())
  const mixed = indexes.map((at) => ({ at, key: random() })).toSorted((a, b) => a.key - b.key)
  expect(sumOf(mixed.map(({ at }) => at))).toEqual(sumOf(indexes))
})

it("slices of many values are compared in many steps, whether groups are within slices or not", () => {
  for (const clusters of [undefined, numbersBelow(COUNT / 5), Uint32Array.from(VALUES.keys())]) {
    const input = { values: VALUES, slices: numbersBelow(4), clusters }
    const { steps, result } = countSteps(compareSlicesInSteps(input, 4))
    expect(steps).toBeGreaterThan(10)
    expect(result).toEqual(compareSlices(input, 4))
    const total = result.reduce((sum, { count, mean }) => sum + count * mean, 0)
    expect(total / COUNT).toBeCloseTo(VALUES.reduce((sum, value) => sum + value, 0) / COUNT, 9)
  }
})

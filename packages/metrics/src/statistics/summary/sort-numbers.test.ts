import { expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { finishSteps, ITEMS_PER_STEP } from "../steps.ts"
import { sortNumbers } from "./sort-numbers.ts"

it.each([0, 1, 1000, ITEMS_PER_STEP, ITEMS_PER_STEP + 1, 3 * ITEMS_PER_STEP, 5 * ITEMS_PER_STEP + 17])(
  "sortNumbers sorts %i numbers as the engine does",
  (count) => {
    const random = createRandom(count)
    const numbers = Float64Array.from({ length: count }, () => Math.round(random() * 1000) / 7)
    const expected = numbers.toSorted()
    finishSteps(sortNumbers(numbers))
    expect(Buffer.from(numbers.buffer).equals(Buffer.from(expected.buffer))).toBe(true)
  },
)

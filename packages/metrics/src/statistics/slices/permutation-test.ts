import { createRandom } from "../create-random.ts"
import { ITEMS_PER_STEP, type Steps } from "../steps.ts"

/** Draws that are at least as far from 0 end a test: its p-value is then known well enough. */
const ENOUGH = 50
const MAX_DRAWS = 20_000
const MIN_DRAWS = 2000
/** Units that are drawn for one test at most, if a test takes more than the fewest draws. */
const MAX_UNITS = 20_000_000
/** Sums that are this much closer to 0 count as equally far, since both are rounded. */
const ROUNDING = 1 - 1e-9

/**
 * Returns the two-sided p-value of the sum of `count` units among all of `offsets`, whose sum is 0: the share of random choices of as many units whose sum
 * is at least as far from 0. It is valid for any number of units and for any distribution of them, if all units are from the same one.
 *
 * Source: Fisher's permutation test (The Design of Experiments, 1935) with sequential random draws (Besag and Clifford, Biometrika 78, 1991, 301–304). The
 * same seed gives the same draws. Two standard errors of the draws are added, so that it is not their luck that marks a slice. The smallest p-value is about 1 / 20,000, and 1 / 2,000 for the largest slices.
 * @param offsets the distance of each unit from what it would have if it were like all others
 */
export function* permutationTest(offsets: Float64Array, count: number, sum: number): Steps<number> {
  const drawn = Math.min(count, offsets.length - count)
  const wanted = Math.abs(sum) * ROUNDING
  const limit = Math.min(MAX_DRAWS, Math.max(MIN_DRAWS, Math.floor(MAX_UNITS / Math.max(1, drawn))))
  const random = createRandom(0)
  const order = offsets.toSorted()
  let hits = 0
  let left = ITEMS_PER_STEP
  for (let draw = 1; draw <= limit; draw++) {
    // The others have the same sum with the opposite sign, so the smaller side is drawn.
    if (Math.abs(drawSum(order, drawn, random)) >= wanted) hits++
    if (hits === ENOUGH) return Math.min(1, (hits + 2 * Math.sqrt(hits)) / draw)
    left -= drawn
    if (left > 0) continue
    left = ITEMS_PER_STEP
    yield
  }
  return Math.min(1, (hits + 1 + 2 * Math.sqrt(hits)) / (limit + 1))
}

/** Moves random units to the front, and returns their sum. */
function drawSum(order: Float64Array, count: number, random: () => number): number {
  let sum = 0
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(random() * (order.length - at))
    const unit = order[other] ?? 0
    order[other] = order[at] ?? 0
    order[at] = unit
    sum += unit
  }
  return sum
}

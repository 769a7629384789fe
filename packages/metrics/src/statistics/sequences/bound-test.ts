export interface SequenceOptions {
  /** The number of values of the whole set, from which values are drawn at random without replacement. */
  readonly population: number
  /** The probability of a wrong statement, over all looks together. */
  readonly alpha: number
}

/** Tests whether the mean of a set is above a bound, with values that are drawn from it in random order. */
export interface BoundTest {
  /** Takes the next values, from 0 to 1. NaN means a row that has no value and does not belong to the set. Returns {@link isAbove}. */
  add(values: Float64Array): boolean
  /** Whether the values so far prove that the mean of the set is above the bound. Once true, it stays true. */
  readonly isAbove: boolean
}

/** The number of values for which the first bet is best. Each further bet is best for four times as many. */
const FIRST_TARGET = 64
const TARGET_RATIO = 4
/** The share of its wealth that a bet can lose with one value. */
const HIGHEST_STAKE = 0.75
const TINY = 1e-200
/** The largest rounding error of a sum, for each row. */
const ROUNDING = 1e-12

/**
 * Creates a test that may be looked at after each value and ended at any time: whatever rule ends it, it is wrong with a probability of
 * at most `alpha / 2`, which leaves the other half to the opposite test.
 *
 * A gambler bets on values above the mean that the rest of the set would have if the bound were the mean of the whole set. If it is,
 * the wealth is a martingale, and by Ville's inequality it reaches 2 / alpha with a probability of at most alpha / 2. The
 * wealth is the average of several gamblers, each of whom bets as is best for another number of values and for the variance
 * seen so far. Stakes grow as the set runs out, because its rest then says more about its mean.
 *
 * Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
 * Statistical Society B 86 (2024), sections 4 and 5 (sampling without replacement).
 */
export function createBoundTest(bound: number, { population, alpha }: SequenceOptions): BoundTest {
  const stakes = Float64Array.from(stakesFor(population, alpha))
  const wealth = new Float64Array(stakes.length).fill(1)
  const needed = (2 / alpha) * stakes.length
  // As if one value of 1/2 with a variance of 1/4 had been seen before.
  const seen = { size: population, count: 0, sum: 0, squares: 0.25 }
  /** How often the wealth was multiplied by 1 / TINY, so that it stays in the range of a number. */
  let enlarged = 0
  let isAbove = false

  const enlarge = (times: 1 | -1): void => {
    enlarged += times
    for (let at = 0; at < wealth.length; at++) wealth[at] = (wealth[at] ?? 0) * TINY ** -times
  }
  return {
    add(values) {
      let { size, count, sum, squares } = seen
      for (let at = 0; at < values.length && !isAbove; at++) {
        const value = values[at] ?? Number.NaN
        if (Number.isNaN(value)) {
          size--
          isAbove = sum > size * (bound + ROUNDING)
          continue
        }
        const left = size - count
        const expected = Math.max(size * bound - sum, size * ROUNDING) / left
        const pressure = (size / left) * Math.sqrt((count + 1) / squares)
        const highest = HIGHEST_STAKE / expected
        let total = 0
        for (let one = 0; one < stakes.length; one++) {
          const stake = Math.min((stakes[one] ?? 0) * pressure, highest)
          const after = (wealth[one] ?? 0) * (1 + stake * (value - expected))
          wealth[one] = after
          total += after
        }
        if (total < TINY) enlarge(1)
        else if (enlarged > 0 && total > 1 / TINY) enlarge(-1)
        count++
        sum += value
        // The second is certain, whatever the other rows say.
        isAbove = (enlarged === 0 && total >= needed) || sum > size * (bound + ROUNDING)
        squares += (value - (sum + 0.5) / (count + 1)) ** 2
      }
      Object.assign(seen, { size, count, sum, squares })
      return isAbove
    },
    get isAbove() {
      return isAbove
    },
  }
}

/** Returns the stakes of the gamblers for values of variance 1: the best ones for each number of values that they aim at. */
function stakesFor(population: number, alpha: number): readonly number[] {
  const stakes: number[] = []
  for (let target = FIRST_TARGET; stakes.length === 0 || target < population; target *= TARGET_RATIO) {
    stakes.push(Math.sqrt((2 * Math.log(2 / alpha)) / target))
  }
  return stakes
}

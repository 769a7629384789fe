import { createExactSum } from "../exact/exact-sum.ts"
import type { Units } from "./units.ts"

/** The gamblers stake these shares of what they can lose. The last one is best if all values are high, the first if they vary much. */
const STAKES: readonly (readonly [stake: number, weight: number])[] = [
  [0.05, 0.1],
  [0.12, 0.1],
  [0.25, 0.15],
  [0.45, 0.15],
  [0.7, 0.15],
  [0.97, 0.35],
]
const HALVINGS = 30

/**
 * Returns the lower end of an interval of the mean of values from 0 to 1, whatever their distribution is: it is above the true mean with a probability of
 * at most `tail`. Units are independent of each other; if they have several values, the mean is the ratio of their sums and sizes.
 *
 * Gamblers bet on values above a bound. If the bound is the true mean, their average wealth is 1, and it reaches 1 / `tail` with a
 * probability of at most `tail` (Markov). The end is the highest bound that the wealth rejects. Stakes do not depend on the values, so
 * that their order does not matter. Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
 * betting", Journal of the Royal Statistical Society B 86 (2024), section 4, with a mixture of fixed stakes.
 *
 * Time: 180 passes over the units.
 */
export function bettingEnd({ sums, sizes }: Units, mean: number, tail: number): number {
  const largest = sizes === null ? 1 : sizes.reduce((most, size) => Math.max(most, size), 0)
  const isRejected = (bound: number): boolean => {
    let wealth = 0
    for (const [stake, weight] of STAKES) {
      const logs = createExactSum()
      for (let at = 0; at < sums.length; at++) {
        const size = sizes === null ? 1 : (sizes[at] ?? 0)
        logs.add(Math.log1p(stake * ((sums[at] ?? 0) / (bound * largest) - size / largest)))
      }
      wealth += weight * Math.exp(logs.value())
    }
    return wealth * tail >= 1
  }
  let rejected = 0
  let open = mean
  for (let step = 0; step < HALVINGS; step++) {
    const bound = (rejected + open) / 2
    if (isRejected(bound)) rejected = bound
    else open = bound
  }
  return rejected
}

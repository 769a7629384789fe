import { betaProbability } from "../distributions/beta-distribution.ts"
import { normalProbability } from "../distributions/normal-distribution.ts"
import type { JudgedPopulation, LabelledScore } from "./label-units.ts"

/**
 * Returns the probability that a random sample of rows has judge's scores at least as unlike those of all rows as the labelled ones. A small one says that
 * labels were left out for some kinds of rows.
 *
 * For two scores it is the two-sided binomial test, for others a normal approximation with the correction for a finite set.
 * @param deviation the standard deviation of the judge's scores over all rows
 */
export function labelBalance(
  labelled: readonly LabelledScore[],
  { rows, mean, scores = [0, 1] }: JudgedPopulation,
  deviation: number,
): number {
  const n = labelled.length
  const [low, high] = scores
  const areDrawnEqually = labelled.every(({ probability = 1, times = 1 }) => probability === 1 && times === 1)
  if (areDrawnEqually && high > low && labelled.every(({ score }) => score === low || score === high)) {
    return binomialTest(labelled.filter(({ score }) => score === high).length, n, (mean - low) / (high - low))
  }
  const weights = labelled.map(({ probability = 1, times = 1 }) => times / probability)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const squares = weights.reduce((sum, weight) => sum + weight * weight, 0)
  const seen = labelled.reduce((sum, { score }, at) => sum + ((weights[at] ?? 0) * score) / total, 0)
  const error = deviation * Math.sqrt((squares / total ** 2) * Math.max(0, 1 - n / rows))
  return error === 0 ? 1 : 2 * normalProbability(-Math.abs(seen - mean) / error)
}

/** Returns twice the smaller tail of the binomial distribution, with the count itself. */
function binomialTest(count: number, n: number, rate: number): number {
  const atLeast = count === 0 ? 1 : betaProbability(rate, count, n - count + 1)
  const atMost = count === n ? 1 : 1 - betaProbability(rate, count + 1, n - count)
  return Math.min(1, 2 * Math.min(atLeast, atMost))
}

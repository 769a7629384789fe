import { checkArgument } from "../check-argument.ts"
import { createExactSum, exactSumOf, meanOf } from "../exact/exact-sum.ts"

/**
 * Returns the mean squared difference between probabilities and labels: 0 is perfect, and a constant probability of 0.5 gives
 * 0.25. Returns null without rows. Source: Brier, Monthly Weather Review 78 (1950). Throws `invalid_request`.
 */
export function brierScore(labels: ArrayLike<number | boolean>, probabilities: ArrayLike<number>): number | null {
  checkProbabilities(labels, probabilities)
  if (labels.length === 0) return null
  return meanOf(Float64Array.from(probabilities, (probability, at) => (probability - Number(labels[at])) ** 2))
}

/**
 * Returns the average difference between probabilities and observed rates, over `bins` of equal width (default 10). A bin
 * includes its upper bound, and 0 belongs to the first. Returns null without rows. Source: Naeini, Cooper and Hauskrecht, AAAI 2015. Throws
 * `invalid_request`.
 */
export function expectedCalibrationError(
  labels: ArrayLike<number | boolean>,
  probabilities: ArrayLike<number>,
  { bins = 10 }: { readonly bins?: number } = {},
): number | null {
  checkProbabilities(labels, probabilities)
  checkArgument(Number.isSafeInteger(bins) && bins > 0, "bins", bins, "a whole number above 0")
  if (labels.length === 0) return null
  const gaps = Array.from({ length: bins }, () => createExactSum())
  for (let at = 0; at < labels.length; at++) {
    const probability = probabilities[at] ?? 0
    const gap = gaps[binOf(probability, bins)]
    gap?.add(probability)
    gap?.add(-Number(labels[at]))
  }
  return exactSumOf(gaps.map((gap) => Math.abs(gap.value()))).over(labels.length)
}

function binOf(probability: number, bins: number): number {
  const bin = Math.max(0, Math.ceil(probability * bins) - 1)
  // The product may be rounded up across a bound that the probability does not exceed.
  return bin > 0 && probability <= bin / bins ? bin - 1 : bin
}

/**
 * Returns the probability of a risk by a yes/no judge, from the log-probabilities of its two answer tokens:
 * e^yes / (e^yes + e^no). A token that was not reported (null) has probability 0. Returns null if neither was reported. Source: Granite Guardian's
 * method, Padhi et al., arXiv 2412.07724.
 */
export function riskProbability(logprobYes: number | null, logprobNo: number | null): number | null {
  const yes = logprobYes ?? -Infinity
  const no = logprobNo ?? -Infinity
  if (yes === -Infinity && no === -Infinity) return null
  return 1 / (1 + Math.exp(no - yes))
}

/** Throws an `invalid_request` unless each label, 0 or 1, has a probability from 0 to 1. */
function checkProbabilities(labels: ArrayLike<number | boolean>, probabilities: ArrayLike<number>): void {
  const { length } = probabilities
  checkArgument(length === labels.length, "probabilities", length, `as many as there are labels: ${labels.length}`)
  for (let at = 0; at < length; at++) {
    const probability = probabilities[at] ?? Number.NaN
    const label = Number(labels[at])
    checkArgument(probability >= 0 && probability <= 1, "probabilities", probability, "numbers from 0 to 1")
    checkArgument(label === 0 || label === 1, "labels", labels[at], "0 and 1, or false and true")
  }
}

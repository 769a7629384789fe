import { checkArgument } from "../check-argument.ts"

/**
 * The mean squared distance of probabilities from what came true: 0 is perfect, 0.25 is always saying one half. Null
 * without rows. Source: Brier, Monthly Weather Review 78 (1950). Throws `invalid_request`.
 */
export function brierScore(labels: ArrayLike<number | boolean>, probabilities: ArrayLike<number>): number | null {
  checkProbabilities(labels, probabilities)
  if (labels.length === 0) return null
  let sum = 0
  for (let at = 0; at < labels.length; at++) sum += ((probabilities[at] ?? 0) - Number(labels[at])) ** 2
  return sum / labels.length
}

/**
 * How far probabilities are from the rates that came true, on average over `bins` of equal width, 10 when not given. A bin
 * holds its upper bound; 0 is in the first. Null without rows. Source: Naeini, Cooper and Hauskrecht, AAAI 2015. Throws
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
  const gaps = new Float64Array(bins)
  for (let at = 0; at < labels.length; at++) {
    const probability = probabilities[at] ?? 0
    const bin = binOf(probability, bins)
    gaps[bin] = (gaps[bin] ?? 0) + probability - Number(labels[at])
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / labels.length
}

function binOf(probability: number, bins: number): number {
  const bin = Math.max(0, Math.ceil(probability * bins) - 1)
  // The product may have been rounded up over a bound that the probability is not above.
  return bin > 0 && probability <= bin / bins ? bin - 1 : bin
}

/**
 * How probable a yes/no judge holds a risk, from the log-probabilities of its two answer tokens: e^yes / (e^yes + e^no).
 * A token that is not among those reported (null) has no probability; null where neither is. Source: Granite Guardian's
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

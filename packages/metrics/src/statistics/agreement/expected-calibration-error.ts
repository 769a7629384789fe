import { checkArgument } from "../check-argument.ts"
import { checkProbabilities } from "./check-probabilities.ts"

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

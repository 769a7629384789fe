import { checkProbabilities } from "./check-probabilities.ts"

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

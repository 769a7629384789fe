import { checkArgument } from "../check-argument.ts"

/** Throws an `invalid_request` unless each label, 0 or 1, has a probability from 0 to 1. */
export function checkProbabilities(labels: ArrayLike<number | boolean>, probabilities: ArrayLike<number>): void {
  const { length } = probabilities
  checkArgument(length === labels.length, "probabilities", length, `as many as there are labels: ${labels.length}`)
  for (let at = 0; at < length; at++) {
    const probability = probabilities[at] ?? Number.NaN
    const label = Number(labels[at])
    checkArgument(probability >= 0 && probability <= 1, "probabilities", probability, "numbers from 0 to 1")
    checkArgument(label === 0 || label === 1, "labels", labels[at], "0 and 1, or false and true")
  }
}

/** The right and wrong rows of two groups. */
export interface TwoRates {
  readonly rightA: number
  readonly wrongA: number
  readonly rightB: number
  readonly wrongB: number
}

/** Tables that are this much likelier than the found one count as equally likely, since both are rounded. */
const ROUNDING = 1 + 1e-7
/** Smaller numbers lose their digits. */
const VANISHED = 1e-300

/**
 * Returns the two-sided p-value of Fisher's exact test: the probability of a table that is at most as likely as the found one, if
 * both groups have the same rate. It is valid for any number of rows. Source: Fisher, Statistical Methods for Research Workers, 1934.
 *
 * Probabilities are computed relative to that of the likeliest table, by ratios of neighbours, and stop where they vanish.
 */
export function fisherExact({ rightA, wrongA, rightB, wrongB }: TwoRates): number {
  const a = rightA + wrongA
  const right = rightA + rightB
  const all = rightA + wrongA + rightB + wrongB
  const lowest = Math.max(0, a + right - all)
  const highest = Math.min(a, right)
  const mode = Math.min(highest, Math.max(lowest, Math.floor(((a + 1) * (right + 1)) / (all + 2))))
  /** The probability of one more right answer in A, as a multiple of that of `k`. */
  const ratio = (k: number) => ((a - k) * (right - k)) / ((k + 1) * (all - a - right + k + 1))
  const found = relativeProbability(rightA, mode, ratio) * ROUNDING
  let total = 0
  let extreme = 0
  const add = (weight: number): void => {
    total += weight
    if (weight <= found) extreme += weight
  }
  let weight = 1
  for (let k = mode; k <= highest && weight > VANISHED; k++) {
    add(weight)
    weight *= ratio(k)
  }
  weight = 1
  for (let k = mode - 1; k >= lowest && weight > VANISHED; k--) {
    weight /= ratio(k)
    add(weight)
  }
  return Math.min(1, extreme / total)
}

function relativeProbability(to: number, mode: number, ratio: (k: number) => number): number {
  let weight = 1
  for (let k = mode; k < to && weight > VANISHED; k++) weight *= ratio(k)
  for (let k = mode - 1; k >= to && weight > VANISHED; k--) weight /= ratio(k)
  return weight > VANISHED ? weight : 0
}

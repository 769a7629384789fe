import { checkArgument } from "../check-argument.ts"

/** The expected share of wrong marks among all marks is at most this. */
const FALSE_DISCOVERIES = 0.05

export interface SliceMark {
  /** Null: the slice was not tested. */
  readonly pAdjusted: number | null
  /** Whether the slice differs by more than chance. */
  readonly isMarked: boolean
}

/**
 * Decides which slices are marked as different: those with an adjusted p-value of at most 0.05. Takes the p-values of all slices that are
 * shown together, null for a slice that was not tested, and returns their marks in the same order.
 *
 * Throws `invalid_request` for a number that is not a probability.
 */
export function markSlices(p: readonly (number | null)[]): readonly SliceMark[] {
  const adjusted = adjustFalseDiscovery(p.filter((one) => one !== null)).values()
  return p.map((one) => {
    if (one === null) return { pAdjusted: null, isMarked: false }
    const pAdjusted = adjusted.next().value ?? 1
    return { pAdjusted, isMarked: pAdjusted <= FALSE_DISCOVERIES }
  })
}

/**
 * Returns the adjusted p-value of each of several tests, in their order. If the tests with an adjusted p-value of at most q are
 * called different, the expected share of wrong calls among them is at most q.
 *
 * Source: Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995), 289–300, for tests that are independent or
 * positively dependent.
 */
function adjustFalseDiscovery(p: readonly number[]): readonly number[] {
  for (const one of p) checkArgument(one >= 0 && one <= 1, "p", one, "a probability")
  const adjusted = Array<number>(p.length).fill(1)
  const order = p.map((_, at) => at).toSorted((a, b) => (p[b] ?? 0) - (p[a] ?? 0))
  let least = 1
  for (const [index, at] of order.entries()) {
    least = Math.min(least, ((p[at] ?? 0) * p.length) / (p.length - index))
    adjusted[at] = least
  }
  return adjusted
}

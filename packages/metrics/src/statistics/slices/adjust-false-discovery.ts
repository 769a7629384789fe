import { checkArgument } from "../check-argument.ts"

/**
 * Returns the adjusted p-value of each of several tests, in their order. If the tests with an adjusted p-value of at most q are
 * called different, the expected share of wrong calls among them is at most q.
 *
 * Source: Benjamini and Hochberg, Journal of the Royal Statistical Society B 57 (1995), 289–300, for tests that are independent or
 * positively dependent. Throws `invalid_request` for a number that is not a probability.
 */
export function adjustFalseDiscovery(p: readonly number[]): readonly number[] {
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

import { checkArgument } from "../check-argument.ts"
import { betaProbability } from "../distributions/beta-probability.ts"

export interface McNemarTest {
  /** How probable a split at least this uneven is, in either direction, if both are equally good. */
  readonly p_two_sided: number
  /** How probable it is that A alone is right at least this often, if B is no worse than A. */
  readonly p_one_sided: number
}

/**
 * McNemar's test, exact: whether two judges or models, asked the same rows, differ. `onlyA` and `onlyB` count the rows that
 * one alone got right; the rows where both did alike say nothing. Exact for any number of rows.
 *
 * Source: McNemar, Psychometrika 12 (1947), with the binomial distribution in place of chi-squared. Throws `invalid_request`.
 */
export function mcnemarExact(onlyA: number, onlyB: number): McNemarTest {
  checkArgument(Number.isSafeInteger(onlyA) && onlyA >= 0, "onlyA", onlyA, "a count of rows")
  checkArgument(Number.isSafeInteger(onlyB) && onlyB >= 0, "onlyB", onlyB, "a count of rows")
  return {
    p_two_sided: Math.min(1, 2 * atLeast(Math.max(onlyA, onlyB), onlyA + onlyB)),
    p_one_sided: atLeast(onlyA, onlyA + onlyB),
  }
}

/** How probable `heads` or more are among `tosses` of a fair coin. */
function atLeast(heads: number, tosses: number): number {
  return heads === 0 ? 1 : betaProbability(0.5, heads, tosses - heads + 1)
}

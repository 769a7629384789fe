import { checkArgument } from "../check-argument.ts"
import type { PairedCounts } from "../intervals/rate-intervals.ts"
import { meansByCluster } from "../intervals/units.ts"
import {
  type SignPermutationOptions,
  type SignPermutationTest,
  mcnemarExact,
  signPermutationTest,
} from "./significance-tests.ts"

/** The rows that have a value on both sides, with one value for each row. */
export interface Pairs {
  readonly a: Float64Array
  readonly b: Float64Array
  /** The rows where both values were 1, only one, or neither; null if values other than 0 and 1 occur. */
  readonly counts: PairedCounts | null
  readonly leftOut: number
  /** Returns B minus A for each pair. */
  readonly differences: () => Float64Array
}

/** The test of a comparison of pairs, without an interval. */
export interface PairedTest {
  /** The probability of a difference at least this large, in either direction, if A and B do not differ. */
  readonly p: number
  readonly method: "mcnemar-exact" | `sign-permutation-${SignPermutationTest["method"]}`
}

/** Tests whether A and B differ: McNemar's exact test if all values are 0 or 1, else the sign permutation test. */
export function testPairs({ counts, differences }: Pairs, options: SignPermutationOptions = {}): PairedTest {
  if (counts !== null) return { p: mcnemarExact(counts.onlyA, counts.onlyB).p_two_sided, method: "mcnemar-exact" }
  const { p, method } = signPermutationTest(differences(), options)
  return { p, method: `sign-permutation-${method}` }
}

/** Pairs values at the same index. Pairs with a value that is not finite are left out, and repeats of a row become their mean. */
export function pairsOf(
  valuesA: ArrayLike<number>,
  valuesB: ArrayLike<number>,
  clusters?: ArrayLike<number | string>,
): Pairs {
  const { length } = valuesA
  checkArgument(
    length === valuesB.length,
    "valuesB",
    valuesB.length,
    `as many values as there are in valuesA: ${length}`,
  )
  checkArgument(
    clusters === undefined || clusters.length === length,
    "clusters",
    clusters?.length,
    `one for each of the ${length} pairs`,
  )
  const indexes: number[] = []
  for (let at = 0; at < length; at++) if (Number.isFinite(valuesA[at]) && Number.isFinite(valuesB[at])) indexes.push(at)
  const meansOf = (values: ArrayLike<number>) => {
    const kept = Float64Array.from(indexes, (at) => values[at] ?? 0)
    if (clusters === undefined) return kept
    return meansByCluster(
      kept,
      indexes.map((at) => clusters[at] ?? ""),
    )
  }
  const a = meansOf(valuesA)
  const b = meansOf(valuesB)
  const differences = () => b.map((value, at) => value - (a[at] ?? 0))
  return { a, b, counts: countPairs(a, b), leftOut: length - indexes.length, differences }
}

function countPairs(a: Float64Array, b: Float64Array): PairedCounts | null {
  const isBit = (value: number) => value === 0 || value === 1
  if (!a.every(isBit) || !b.every(isBit)) return null
  let both = 0
  let onlyA = 0
  let onlyB = 0
  for (const [at, valueA] of a.entries()) {
    const valueB = b[at] ?? 0
    both += valueA * valueB
    onlyA += valueA * (1 - valueB)
    onlyB += (1 - valueA) * valueB
  }
  return { both, onlyA, onlyB, neither: a.length - both - onlyA - onlyB }
}

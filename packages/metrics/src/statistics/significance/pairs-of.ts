import { checkArgument } from "../check-argument.ts"
import type { PairedCounts } from "../intervals/rate-intervals.ts"
import { unitsOf } from "../intervals/units.ts"

export interface Pairs {
  readonly a: Float64Array
  readonly b: Float64Array
  /** The rows where both values were 1, only one, or neither; null if values other than 0 and 1 occur. */
  readonly counts: PairedCounts | null
  readonly leftOut: number
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
  const places: number[] = []
  for (let at = 0; at < length; at++) if (Number.isFinite(valuesA[at]) && Number.isFinite(valuesB[at])) places.push(at)
  const meansOf = (values: ArrayLike<number>) => {
    const kept = Float64Array.from(places, (at) => values[at] ?? 0)
    if (clusters === undefined) return kept
    const { sums, sizes } = unitsOf(
      kept,
      places.map((at) => clusters[at] ?? ""),
    )
    return sums.map((sum, at) => sum / (sizes?.[at] ?? 1))
  }
  const [a, b] = [meansOf(valuesA), meansOf(valuesB)]
  return { a, b, counts: countPairs(a, b), leftOut: length - places.length }
}

function countPairs(a: Float64Array, b: Float64Array): PairedCounts | null {
  const isBit = (value: number) => value === 0 || value === 1
  if (!a.every(isBit) || !b.every(isBit)) return null
  let [both, onlyA, onlyB] = [0, 0, 0]
  for (const [at, valueA] of a.entries()) {
    const valueB = b[at] ?? 0
    both += valueA * valueB
    onlyA += valueA * (1 - valueB)
    onlyB += (1 - valueA) * valueB
  }
  return { both, onlyA, onlyB, neither: a.length - both - onlyA - onlyB }
}

import { canonicalDecimal, isExactNumber, type ExactNumber } from "@assay/json"
import { createDistinctEstimate, type DistinctEstimate } from "./distinct-estimate.ts"

export type Scalar = string | number | boolean | ExactNumber | null

/** Number of distinct values that are counted exactly. If there are more, the rarest are dropped from time to time. */
const MAX_COUNTED = 1000
/** Longer strings are not kept, because they are unlikely to be the most frequent and fill the memory. */
const MAX_KEPT_CHARACTERS = 100
const TOP = 10

export interface ValueCounts {
  readonly add: (value: Scalar) => void
  readonly distinct: () => number
  /** Whether the counts are estimates. */
  readonly isEstimated: () => boolean
  /** The most frequent values, by default 10. Values of equal frequency are in order of first occurrence. */
  readonly top: (limit?: number) => readonly { readonly value: Scalar; readonly count: number }[]
}

/**
 * Counts values in bounded memory. Up to 1000 distinct values of at most 100 characters are counted exactly. With more,
 * `distinct` is an estimate (standard error 1.6 %), and a count in `top` lacks the occurrences before the value was
 * last dropped.
 */
export function createValueCounts(): ValueCounts {
  let counts = new Map<Scalar, number>()
  let estimate: DistinctEstimate | undefined
  /** Equal numbers are represented by the first of them. */
  const exact = new Map<string, ExactNumber>()

  function firstOf(number: ExactNumber): ExactNumber {
    const name = canonicalDecimal(number.rawJSON)
    const known = exact.get(name)
    if (known !== undefined) return known
    if (exact.size >= MAX_COUNTED) exact.clear()
    exact.set(name, number)
    return number
  }

  function beginEstimate(): DistinctEstimate {
    const begun = createDistinctEstimate()
    for (const value of counts.keys()) begun.add(keyOf(value))
    return begun
  }

  function forgetRarest(): void {
    const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, MAX_COUNTED / 2)
    const kept = new Set(frequent.map(([value]) => value))
    counts = new Map([...counts].filter(([value]) => kept.has(value)))
  }

  return {
    add(given) {
      const value = isExactNumber(given) ? firstOf(given) : given
      const isKept = typeof value !== "string" || value.length <= MAX_KEPT_CHARACTERS
      const known = isKept ? counts.get(value) : undefined
      if (known !== undefined) {
        counts.set(value, known + 1)
        return
      }
      if (!isKept || counts.size >= MAX_COUNTED) estimate ??= beginEstimate()
      estimate?.add(keyOf(value))
      if (!isKept) return
      if (counts.size >= MAX_COUNTED) forgetRarest()
      counts.set(typeof value === "string" ? ownCopy(value) : value, 1)
    },
    distinct: () => estimate?.count() ?? counts.size,
    isEstimated: () => estimate !== undefined,
    top: (limit = TOP) =>
      [...counts]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, limit)
        .map(([value, count]) => ({ value, count })),
  }
}

/** Returns a key that differs for the string "1" and the number 1. */
function keyOf(value: Scalar): string {
  if (isExactNumber(value)) return canonicalDecimal(value.rawJSON)
  return typeof value === "string" ? `"${value}` : String(value)
}

/** Copies the text. A slice of a long text would keep the whole text in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le")
}

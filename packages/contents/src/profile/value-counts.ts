import { canonicalDecimal, isExactNumber, type ExactNumber } from "@assay/schemas/numbers"
import { createDistinctEstimate, type DistinctEstimate } from "./distinct-estimate.ts"

export type Scalar = string | number | boolean | ExactNumber | null

/** Values that are counted one by one; with more different ones the rarest are forgotten from time to time. */
const MAX_COUNTED = 1000
/** Longer strings are not kept: they are no candidates for the most frequent, and fill the memory. */
const LONGEST_KEPT = 100
const TOP = 10

export interface ValueCounts {
  readonly add: (value: Scalar) => void
  readonly distinct: () => number
  /** Whether the counts are estimates. */
  readonly isEstimated: () => boolean
  /** The most frequent ones; of equal frequency the first one met. */
  readonly top: () => readonly { readonly value: Scalar; readonly count: number }[]
}

/**
 * Counts values in bounded memory: exactly, up to 1000 different ones of up to 100 characters; with more, `distinct` is an
 * estimate (standard error 1.6 %), and counts of `top` are too low by what was met before the value was last forgotten.
 */
export function createValueCounts(): ValueCounts {
  let counts = new Map<Scalar, number>()
  let estimate: DistinctEstimate | undefined
  /** The first of equal numbers stands for all of them. */
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
      const isKept = typeof value !== "string" || value.length <= LONGEST_KEPT
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
    top: () =>
      [...counts]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, TOP)
        .map(([value, count]) => ({ value, count })),
  }
}

/** The string "1" is not the number. */
function keyOf(value: Scalar): string {
  if (isExactNumber(value)) return canonicalDecimal(value.rawJSON)
  return typeof value === "string" ? `"${value}` : String(value)
}

/** A part of a long text keeps all of it in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le")
}

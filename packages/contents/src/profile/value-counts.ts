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
  /** Number of values, of which no more can be distinct. */
  let total = 0
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

  /** Keeps the most frequent half of the values. Of equally frequent values, the first ones stay. */
  function forgetRarest(): void {
    // Sorting all values each time would take most of the time of a profile.
    const { frequency, ofFrequency } = lowestKept(counts.values(), MAX_COUNTED / 2)
    let left = ofFrequency
    const kept = new Map<Scalar, number>()
    for (const [value, count] of counts) {
      if (count > frequency || (count === frequency && left-- > 0)) kept.set(value, count)
    }
    counts = kept
  }

  return {
    add(given) {
      total += 1
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
    distinct: () => (estimate === undefined ? counts.size : Math.min(total, estimate.count())),
    isEstimated: () => estimate !== undefined,
    top: (limit = TOP) =>
      [...counts]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, limit)
        .map(([value, count]) => ({ value, count })),
  }
}

/** Returns the frequency down to which `wanted` values are kept, and how many of exactly this frequency. */
function lowestKept(frequencies: Iterable<number>, wanted: number) {
  const values = new Map<number, number>()
  for (const frequency of frequencies) values.set(frequency, (values.get(frequency) ?? 0) + 1)
  let ofFrequency = wanted
  for (const [frequency, count] of [...values].toSorted(([a], [b]) => b - a)) {
    if (count >= ofFrequency) return { frequency, ofFrequency }
    ofFrequency -= count
  }
  return { frequency: 0, ofFrequency: 0 }
}

/** Returns a key that differs for the string "1" and the number 1. */
function keyOf(value: Scalar): string {
  if (isExactNumber(value)) return canonicalDecimal(value.rawJSON)
  return typeof value === "string" ? `"${value}` : String(value)
}

/** V8 copies shorter parts of a text anyway (`SlicedString::kMinLength`). */
const MIN_SLICE = 13

/** Copies the text. A slice of a long text would keep the whole text in memory. */
function ownCopy(text: string): string {
  if (text.length < MIN_SLICE) return text
  return Buffer.from(text, "utf16le").toString("utf16le")
}

import { canonicalDecimal, isExactNumber, type ExactNumber } from "@assay/schemas/numbers"

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
  /** The most frequent values. Values of equal frequency are in order of first occurrence. */
  readonly top: () => readonly { readonly value: Scalar; readonly count: number }[]
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
    top: () =>
      [...counts]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, TOP)
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

/** 4096 registers of one byte: a standard error of 1.04 / √4096 = 1.6 %. */
const REGISTERS = 4096
const INDEX_BITS = 12
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

/** Estimates the number of distinct texts, in 4 kB of memory. */
interface DistinctEstimate {
  readonly add: (text: string) => void
  readonly count: () => number
}

/** Creates an estimate by HyperLogLog, with linear counting while it is sparse (Flajolet et al., 2007). */
export function createDistinctEstimate(): DistinctEstimate {
  const registers = new Uint8Array(REGISTERS)
  return {
    add(text) {
      const [a, b] = hashText(text)
      const index = a >>> (32 - INDEX_BITS)
      const rank = Math.clz32(b) + 1
      if (rank > (registers[index] ?? 0)) registers[index] = rank
    },
    count() {
      let sum = 0
      let empty = 0
      for (const rank of registers) {
        sum += 2 ** -rank
        if (rank === 0) empty++
      }
      const estimate = (ALPHA * REGISTERS * REGISTERS) / sum
      const isSparse = estimate <= 2.5 * REGISTERS && empty > 0
      return Math.round(isSparse ? REGISTERS * Math.log(REGISTERS / empty) : estimate)
    },
  }
}

/** Returns two independent 32-bit hashes of `text`: FNV-1a steps with Murmur3's final mix. */
function hashText(text: string): readonly [number, number] {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b)
  }
  return [mix(a ^ text.length), mix(b ^ a)]
}

function mix(hash: number): number {
  let mixed = hash
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

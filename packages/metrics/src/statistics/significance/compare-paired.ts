import { checkArgument } from "../check-argument.ts"
import { exactSumOf, meanOf } from "../exact/exact-sum.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { meanInterval } from "../intervals/mean-interval.ts"
import { pairedDifferenceInterval } from "../intervals/paired-difference-interval.ts"
import type { PairedCounts } from "../intervals/rate-intervals.ts"
import { type GateVerdict, gate, smallestDetectableEffect } from "./gate.ts"
import { type PairedTest, type Pairs, pairsOf, testPairs } from "./pairs.ts"
import type { SignPermutationOptions } from "./significance-tests.ts"

export interface ComparePairedOptions extends IntervalOptions, SignPermutationOptions {
  /** How much worse B may be and still pass. Default 0. */
  readonly margin?: number
  /** Whether a higher value is better. Default true. */
  readonly higherIsBetter?: boolean
  /** The lowest and the highest possible value on either side. Absent: values are not bounded. */
  readonly range?: readonly [low: number, high: number] | undefined
  /** The probability of finding the smallest detectable effect. Default 0.8. */
  readonly power?: number
  /** The row of each pair, if rows repeat. Each row then counts once, with its mean. */
  readonly clusters?: ArrayLike<number | string>
}

export interface PairedComparison {
  /** The rows that have a value on both sides. */
  readonly rows: number
  /** The pairs that were left out because one value is not a finite number. */
  readonly left_out: number
  readonly mean_a: number
  readonly mean_b: number
  /** B minus A. */
  readonly difference: number
  /** The interval of the true difference. Null for fewer than 5 rows of values other than 0 and 1, for which none is valid. */
  readonly interval: Interval | null
  /** The probability of a difference at least this large, in either direction, if A and B do not differ. */
  readonly p: number
  readonly method: PairedTest["method"]
  /** The rows that only A got right. Null if other values than 0 and 1 occur. */
  readonly only_a: number | null
  readonly only_b: number | null
  /** Null without an interval, and for rates of so few rows that no difference is found. */
  readonly smallest_detectable_effect: number | null
  /** Whether B is at most the margin worse than A. */
  readonly verdict: GateVerdict
}

/**
 * Compares B with A on the same rows. Values at the same index belong to the same row.
 *
 * If all values are 0 or 1, it uses McNemar's exact test and {@link pairedDifferenceInterval}, else the sign permutation test and the
 * interval of the mean of differences. B is called worse, and at margin 0 also better, only if the test agrees: `p` is at most
 * 1 − confidence. At margin 0 McNemar's test alone decides rates. Returns null without a pair. Throws `invalid_request` for lists of different lengths.
 */
export function comparePaired(
  valuesA: ArrayLike<number>,
  valuesB: ArrayLike<number>,
  options: ComparePairedOptions = {},
): PairedComparison | null {
  const { confidence = 0.95, power = 0.8, margin = 0 } = options
  checkArgument(margin >= 0, "margin", margin, "a number, 0 or more")
  const pairs = pairsOf(valuesA, valuesB, options.clusters)
  const rows = pairs.a.length
  if (rows === 0) return null
  const found = intervalOf(pairs, testPairs(pairs, options), options)
  const { interval } = found
  const meanA = meanOf(pairs.a)
  const meanB = meanOf(pairs.b)
  return {
    rows,
    left_out: pairs.leftOut,
    mean_a: meanA,
    mean_b: meanB,
    difference: differenceOfMeans(pairs),
    ...found,
    only_a: pairs.counts?.onlyA ?? null,
    only_b: pairs.counts?.onlyB ?? null,
    smallest_detectable_effect: detectableEffect(interval, pairs, { confidence, power }),
    verdict: verdictOf(found, { meanA, meanB, isRate: pairs.counts !== null }, options),
  }
}

const ROUNDING = 1e-12

/** Returns the mean of B minus the mean of A, rounded once. */
function differenceOfMeans({ a, b }: Pairs): number {
  const sum = exactSumOf(b)
  for (const value of a) sum.add(-value)
  return sum.over(b.length)
}

type Found = Pick<PairedComparison, "interval" | "p" | "method">

interface ComparedMeans {
  readonly meanA: number
  readonly meanB: number
  readonly isRate: boolean
}

/** Decides by the interval, but never against the test, which alone decides rates without a margin. */
function verdictOf({ interval, p }: Found, means: ComparedMeans, options: ComparePairedOptions): GateVerdict {
  const { meanA, meanB, isRate } = means
  const { confidence = 0.95, margin = 0, higherIsBetter = true } = options
  const isDifferent = p <= 1 - confidence
  if (isRate && isDifferent && margin === 0) return meanA > meanB === higherIsBetter ? "FAIL" : "PASS"
  // 0.7 - 0.8 is slightly less than -0.1. A difference that exceeds the margin by rounding alone keeps it.
  const allowed = margin + ROUNDING * Math.max(Math.abs(meanA), Math.abs(meanB))
  const verdict = gate(interval, higherIsBetter ? { atLeast: -allowed } : { atMost: allowed })
  return !isDifferent && (verdict === "FAIL" || margin === 0) ? "INCONCLUSIVE" : verdict
}

function intervalOf(pairs: Pairs, test: PairedTest, options: ComparePairedOptions): Found {
  const { counts, differences } = pairs
  const { confidence = 0.95 } = options
  if (counts === null) {
    const units = { sums: differences(), sizes: null }
    return { ...test, interval: meanInterval(units, { ...options, range: differencesOf(options.range) }) }
  }
  const interval = pairedDifferenceInterval(counts, { confidence })
  return { ...test, interval: interval && aroundZero(interval, counts, test.p <= 1 - confidence) }
}

/** Ends an interval at 0 if the exact test finds a difference, and makes it contain 0 if not. Neither makes it wrong more often. */
function aroundZero({ low, high, ...rest }: Interval, { onlyA, onlyB }: PairedCounts, isDifferent: boolean): Interval {
  if (!isDifferent) return { low: Math.min(low, 0), high: Math.max(high, 0), ...rest }
  return onlyB > onlyA ? { low: Math.max(low, 0), high, ...rest } : { low, high: Math.min(high, 0), ...rest }
}

function differencesOf(range: ComparePairedOptions["range"]): ComparePairedOptions["range"] {
  if (range === undefined) return undefined
  const [low, high] = range
  return [low - high, high - low]
}

/** Returns the smallest effect that is found; null without an interval, and for rates if none is: they differ by at most 1. */
function detectableEffect(
  interval: Interval | null,
  { counts }: Pairs,
  options: { readonly confidence: number; readonly power: number },
): number | null {
  if (interval === null) return null
  const effect = smallestDetectableEffect(impliedError(interval), options)
  return counts !== null && effect > 1 ? null : effect
}

/** Returns the standard error that the width of an interval implies. Unlike the sample's, it is not 0 if nothing differed. */
function impliedError({ low, high, confidence }: Interval): number {
  return (high - low) / (2 * normalQuantile(0.5 + confidence / 2))
}

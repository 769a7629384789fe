import { checkArgument } from "../check-argument.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { meanInterval } from "../intervals/mean-interval.ts"
import { type PairedCounts, pairedRateInterval } from "../intervals/rate-intervals.ts"
import { gate, type GateVerdict } from "./gate.ts"
import {
  mcnemarExact,
  type SignPermutationOptions,
  signPermutationTest,
  type SignPermutationTest,
} from "./significance-tests.ts"
import { pairsOf, type Pairs } from "./pairs-of.ts"
import { smallestDetectableEffect } from "./sample-size.ts"

export interface ComparePairedOptions extends IntervalOptions, SignPermutationOptions {
  /** How much worse B may be and still pass; 0 when not given. */
  readonly margin?: number
  /** Whether a higher value is the better one; true when not given. */
  readonly higherIsBetter?: boolean
  /** How often the smallest detectable effect shall be found; 0.8 when not given. */
  readonly power?: number
  /** For each pair the row that it belongs to, where rows repeat: each row counts once then, with its mean. */
  readonly clusters?: ArrayLike<number | string>
}

export interface PairedComparison {
  /** The rows that have a value on both sides. */
  readonly rows: number
  /** The pairs that were left out, one side of them not being a number. */
  readonly left_out: number
  readonly mean_a: number
  readonly mean_b: number
  /** B minus A. */
  readonly difference: number
  /** Where the true difference lies; null for fewer than five rows that are not 0 or 1, where none is valid. */
  readonly interval: Interval | null
  /** How probable a difference this large is, in either direction, if there is none. */
  readonly p: number
  readonly method: "mcnemar-exact" | `sign-permutation-${SignPermutationTest["method"]}`
  /** The rows that one side alone got right; null where values are not all 0 or 1. */
  readonly only_a: number | null
  readonly only_b: number | null
  readonly smallest_detectable_effect: number | null
  /** Whether B is no worse than A by more than the margin. */
  readonly verdict: GateVerdict
}

/**
 * Whether B differs from A on the same rows, and by how much: values at the same place are of the same row.
 *
 * Where all values are 0 or 1: McNemar's exact test and Newcombe's interval; else the sign permutation test and the
 * skew-adjusted t interval of the differences. Null without a pair. Throws `invalid_request` for lists of different lengths.
 */
export function comparePaired(
  valuesA: ArrayLike<number>,
  valuesB: ArrayLike<number>,
  options: ComparePairedOptions = {},
): PairedComparison | null {
  const { confidence = 0.95, power = 0.8, margin = 0, higherIsBetter = true } = options
  checkArgument(margin >= 0, "margin", margin, "a number, 0 or more")
  const pairs = pairsOf(valuesA, valuesB, options.clusters)
  const rows = pairs.a.length
  if (rows === 0) return null
  const found = pairs.counts === null ? compareNumbers(pairs, options) : compareRates(pairs.counts, confidence)
  const { interval } = found
  const [meanA, meanB] = [meanOf(pairs.a), meanOf(pairs.b)]
  return {
    rows,
    left_out: pairs.leftOut,
    mean_a: meanA,
    mean_b: meanB,
    difference: meanB - meanA,
    ...found,
    only_a: pairs.counts?.onlyA ?? null,
    only_b: pairs.counts?.onlyB ?? null,
    smallest_detectable_effect:
      interval === null ? null : smallestDetectableEffect(impliedError(interval), { confidence, power }),
    verdict: gate(interval, higherIsBetter ? { atLeast: -margin } : { atMost: margin }),
  }
}

type Found = Pick<PairedComparison, "interval" | "p" | "method">

function compareRates(counts: PairedCounts, confidence: number): Found {
  const { p_two_sided: p } = mcnemarExact(counts.onlyA, counts.onlyB)
  return { interval: pairedRateInterval(counts, { confidence }), p, method: "mcnemar-exact" }
}

function compareNumbers({ a, b }: Pairs, options: ComparePairedOptions): Found {
  const differences = b.map((value, at) => value - (a[at] ?? 0))
  const { p, method } = signPermutationTest(differences, options)
  return {
    interval: meanInterval({ sums: differences, sizes: null }, options),
    p,
    method: `sign-permutation-${method}`,
  }
}

/** The standard error that an interval of this width speaks of; unlike the sample's, it is not 0 where nothing differed. */
function impliedError({ low, high, confidence }: Interval): number {
  return (high - low) / (2 * normalQuantile(0.5 + confidence / 2))
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

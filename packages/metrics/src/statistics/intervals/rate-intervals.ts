import { checkArgument, checkShare } from "../check-argument.ts"
import { betaQuantile } from "../distributions/beta-distribution.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "./interval.ts"

/** A rate with its counts and Wilson's interval, as reports write it. */
export interface MeasuredRate {
  readonly count: number
  readonly n: number
  /** Null if n is 0. The interval is then 0 to 1. */
  readonly rate: number | null
  readonly low: number
  readonly high: number
}

/** Returns the rate of `count` among `n` independent rows with its interval. Throws `invalid_request`. */
export function measureRate(count: number, n: number, options: IntervalOptions = {}): MeasuredRate {
  const { low, high } = wilsonInterval(count, n, options)
  return { count, n, rate: n === 0 ? null : count / n, low, high }
}

/**
 * Returns an interval of the true rate for `successes` in `n` rows: Wilson's score interval without continuity correction.
 *
 * It stays within 0 to 1 and keeps a width at the ends: 0 of 50 still allows 7 %. Without rows it is 0 to 1. Rows have to be
 * independent of each other. Source: Wilson, JASA 22 (1927), 209–212. Throws `invalid_request`.
 */
export function wilsonInterval(successes: number, n: number, { confidence = 0.95 }: IntervalOptions = {}): Interval {
  checkCounts(successes, n)
  checkShare("confidence", confidence)
  if (n === 0) return { low: 0, high: 1, confidence, method: "wilson" }
  const z = normalQuantile(0.5 + confidence / 2)
  const failures = n - successes
  const centre = (successes + (z * z) / 2) / (n + z * z)
  const reach = (z / (n + z * z)) * Math.sqrt((successes * failures) / n + (z * z) / 4)
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - reach),
    high: failures === 0 ? 1 : Math.min(1, centre + reach),
    confidence,
    method: "wilson",
  }
}

/**
 * Returns an interval of the true rate that has at least the given confidence for every rate. It is wider than Wilson's.
 * Without rows it is 0 to 1. Source: Clopper and Pearson, Biometrika 26 (1934), 404–413. Throws `invalid_request`.
 */
export function clopperPearsonInterval(
  successes: number,
  n: number,
  { confidence = 0.95 }: IntervalOptions = {},
): Interval {
  checkCounts(successes, n)
  checkShare("confidence", confidence)
  const tail = (1 - confidence) / 2
  const failures = n - successes
  return {
    low: successes === 0 ? 0 : betaQuantile(tail, successes, failures + 1),
    high: failures === 0 ? 1 : betaQuantile(1 - tail, successes + 1, failures),
    confidence,
    method: "clopper-pearson",
  }
}

/** The number of rows that both of two judges or models got right, only one, or neither. */
export interface PairedCounts {
  readonly both: number
  readonly onlyA: number
  readonly onlyB: number
  readonly neither: number
}

/**
 * Returns an interval of the difference of two rates over the same rows, B minus A. It has a width even if the two never
 * differed. Returns null without rows. If few rows differ it is too narrow for a verdict; `comparePaired` uses a wider one.
 *
 * Source: Newcombe, Statistics in Medicine 17 (1998), 2635–2650, method 10: Wilson's intervals of both
 * rates, combined with their correlation, which is corrected for continuity.
 */
export function pairedRateInterval(counts: PairedCounts, { confidence = 0.95 }: IntervalOptions = {}): Interval | null {
  const { both, onlyA, onlyB, neither } = counts
  const n = both + onlyA + onlyB + neither
  if (n === 0) return null
  const a = reachOf(both + onlyA, n, confidence)
  const b = reachOf(both + onlyB, n, confidence)
  const difference = (onlyB - onlyA) / n
  const phi = correlation(counts)
  const reach = (one: number, other: number) =>
    Math.sqrt(Math.max(0, one * one - 2 * phi * one * other + other * other))
  return {
    low: Math.max(-1, difference - reach(b.below, a.above)),
    high: Math.min(1, difference + reach(b.above, a.below)),
    confidence,
    method: "newcombe",
  }
}

function reachOf(successes: number, n: number, confidence: number): { readonly below: number; readonly above: number } {
  const { low, high } = wilsonInterval(successes, n, { confidence })
  return { below: successes / n - low, above: high - successes / n }
}

function correlation({ both, onlyA, onlyB, neither }: PairedCounts): number {
  const margins = (both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither)
  if (margins === 0) return 0
  const excess = both * neither - onlyA * onlyB
  const corrected = excess > 0 ? Math.max(0, excess - (both + onlyA + onlyB + neither) / 2) : excess
  return corrected / Math.sqrt(margins)
}

/** Throws an `invalid_request` unless `successes` of `n` is possible. `n` need not be whole: it may be an effective size. */
function checkCounts(successes: number, n: number): void {
  checkArgument(n >= 0 && n < Infinity, "n", n, "a number of rows, 0 or more")
  checkArgument(successes >= 0 && successes <= n, "successes", successes, `a number from 0 to n, which is ${n}`)
}

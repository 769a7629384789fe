import { wilsonInterval } from "./wilson-interval.ts"
import type { Interval, IntervalOptions } from "./interval.ts"

/** How often two judges or models, asked the same rows, were both right, one alone, or neither. */
export interface PairedCounts {
  readonly both: number
  readonly onlyA: number
  readonly onlyB: number
  readonly neither: number
}

/**
 * Where the difference of two rates over the same rows lies, B minus A. It has a width even where the two never differed.
 *
 * Null without rows. Source: Newcombe, Statistics in Medicine 17 (1998), 2635–2650, method 10: Wilson's intervals of both
 * rates, put together with their correlation, which is corrected for continuity.
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

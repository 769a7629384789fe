import { formatShare } from "@assay/reports"
import type { Rate } from "./calibration-report.ts"

/** Formats a rate with its interval: `2.5 % (0.9–7.1 %)`. A rate of nothing is `–`. */
export function formatRate({ rate, low, high, n }: Rate): string {
  if (rate === null || n === 0) return "–"
  return `${formatShare(rate)} (${formatShare(low).replace(" %", "")}–${formatShare(high)})`
}

/** Formats a number with its noun: `1 safe prompt`, `3 misses`. */
export function formatCases(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun}${noun.endsWith("s") ? "es" : "s"}`
}

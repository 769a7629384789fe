import type { Rate } from "./calibration-report.ts"

/** A share as a percentage that a person reads: `7.1 %`. */
export function formatShare(share: number): string {
  const percent = share * 100
  const text = percent === 0 || percent === 100 || percent >= 99.95 ? percent.toFixed(0) : percent.toFixed(1)
  return `${text.replace(/\.0$/, "")} %`
}

/** `2.5 % (0.9–7.1 %)` */
export function formatRate({ rate, low, high, n }: Rate): string {
  if (rate === null || n === 0) return "–"
  return `${formatShare(rate)} (${formatShare(low).replace(" %", "")}–${formatShare(high)})`
}

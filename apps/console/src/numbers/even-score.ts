import { formatScore } from "@assay/reports"

const DECIMALS = 3
/** Numbers from here on have fewer decimals than shares. */
const MAX_EVEN = 100

/** Formats a score for a column in which all numbers have the same decimals: `1.000` beside `0.706`. Very small and large ones stay as they are. */
export function formatEvenScore(value: Parameters<typeof formatScore>[0]): string {
  if (typeof value !== "number") return formatScore(value)
  const size = Math.abs(value)
  const isEven = size === 0 || (size >= 10 ** -DECIMALS && size < MAX_EVEN)
  return isEven ? value.toFixed(DECIMALS) : formatScore(value)
}

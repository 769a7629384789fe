import type { ScoreValue } from "@assay/schemas"

/** A number as a person reads it: four digits that count, no more. */
export function formatScore(value: ScoreValue | null | undefined): string {
  if (value === null || value === undefined || value === "NaN") return "–"
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString("en")
  const size = Math.abs(value)
  if (size >= 1e9 || size < 1e-4) return value.toExponential(2)
  return size >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(size < 1 ? 3 : 4)))
}

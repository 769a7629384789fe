/** A score for people: four decimals where it is small, fewer where it is large; `NaN` stays. */
export function formatScore(value: number | "NaN" | null): string {
  if (value === null) return "–"
  if (value === "NaN") return "NaN"
  if (Number.isInteger(value) && Math.abs(value) >= 10) return value.toLocaleString("en-US")
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en-US") : value.toFixed(Math.abs(value) >= 10 ? 2 : 4)
}

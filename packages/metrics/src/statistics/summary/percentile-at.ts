/**
 * `exclusive`: position p/100 · (n + 1) − 1, counted from 0 and kept within the values (type 6 of Hyndman and Fan, American
 * Statistician 50, 1996); what all our reports use. `inclusive`: p/100 · (n − 1) (type 7), as NumPy and spreadsheets do.
 */
export type PercentileDefinition = "exclusive" | "inclusive"

/** A percentile of `n` sorted values that are read one by one; between two of them in proportion. NaN without values. */
export function percentileAt(
  valueAt: (place: number) => number,
  n: number,
  p: number,
  definition: PercentileDefinition = "exclusive",
): number {
  if (n === 0) return Number.NaN
  const asked = definition === "exclusive" ? (p / 100) * (n + 1) - 1 : (p / 100) * (n - 1)
  const position = Math.min(Math.max(asked, 0), n - 1)
  const place = Math.floor(position)
  const share = position - place
  const below = valueAt(place)
  return share === 0 ? below : below + share * (valueAt(place + 1) - below)
}

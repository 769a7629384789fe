import { formatCount, formatInteger, formatScore, type LabelFindings } from "@assay/reports"

/** Further labels of which the effect is said. */
const MORE = 20
/** A reach that decides most questions. */
const WANTED = 0.05
/** Further labels beyond which nothing is promised. */
const MAX_PROMISED = 100_000

/**
 * Says what more labels would give. The reach of an interval of a mean shrinks with the square root of the number of labels, so that the interval
 * there is says how many labels another one takes.
 */
export function labelForecast({
  corrected,
  labels,
  labels_missing: missing,
  rows,
}: Pick<LabelFindings, "corrected" | "labels" | "labels_missing" | "rows">): string {
  if (missing > 0) return `${formatCount(missing, "more label")} until there is an interval.`
  const interval = corrected?.interval ?? null
  if (interval === null || labels === 0) return ""
  const reach = (interval.high - interval.low) / 2
  const left = Math.max(0, rows - labels)
  if (left === 0) return `The interval is ±${formatScore(reach)}. Every row has a label.`
  const more = Math.min(MORE, left)
  const then = reach * Math.sqrt(labels / (labels + more))
  const needed = Math.ceil(labels * ((reach / WANTED) ** 2 - 1))
  const promise =
    needed <= 0 || needed > MAX_PROMISED
      ? ""
      : needed > left
        ? ` All ${formatInteger(left)} rows that are left would not give ±${WANTED}.`
        : ` About ${formatInteger(needed)} more give ±${WANTED}.`
  return `The interval is ±${formatScore(reach)}. ${formatCount(more, "more label")} would make it about ±${formatScore(then)}.${promise}`
}

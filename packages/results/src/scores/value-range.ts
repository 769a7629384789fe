import { type EvaluationConfigBody, type ScoreStats, scoreScale } from "@assay/schemas"
import { isHigherBetter, type ScoreKey } from "./list-scores.ts"

export interface ValueRange {
  readonly low: number
  readonly high: number
}

/**
 * Returns the values between which a score makes a row good or bad: those that its metric can give, 0 and 1 for shares, or else the smallest and the
 * largest that it has. Undefined if it has no value, or if its metric does not say which values there are and all of them are equal.
 */
export function valueRange(
  config: Pick<EvaluationConfigBody, "tasks"> | undefined,
  { task, metric, score }: ScoreKey,
  stats: ScoreStats | undefined,
): ValueRange | undefined {
  if (stats === undefined || stats.min === "NaN" || stats.max === "NaN") return undefined
  const { min, max } = stats
  const written = config?.tasks?.[task]?.metrics?.[metric]
  const [low, high] = (written === undefined ? undefined : scoreScale(written, score)) ?? []
  if (low !== undefined && high !== undefined && Number.isFinite(high) && low <= min && max <= high)
    return { low, high }
  if (min >= 0 && max <= 1) return { low: 0, high: 1 }
  return min < max ? { low: min, high: max } : undefined
}

/** Returns the value of a perfect row; undefined if no value is known to be better than the others. */
export function bestValue(
  config: Pick<EvaluationConfigBody, "tasks" | "type">,
  key: ScoreKey,
  stats: ScoreStats | undefined,
): number | undefined {
  const range = valueRange(config, key, stats)
  return isHigherBetter(config, key) ? range?.high : range?.low
}

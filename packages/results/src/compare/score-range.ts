import { type ScoreComparison, scoreScale } from "@assay/schemas"
import type { JobToCompare } from "./job-to-compare.ts"

/** Returns the lowest and the highest value that a score can have, as its metric or its values tell; undefined if neither does. */
export function scoreRange(
  config: JobToCompare["config"],
  { task, metric, score, unit }: Pick<ScoreComparison, "task" | "metric" | "score" | "unit">,
): readonly [low: number, high: number] | undefined {
  const written = config?.tasks?.[task]?.metrics?.[metric]
  const scale = written === undefined ? undefined : scoreScale(written, score)
  if (scale !== undefined) return Number.isFinite(scale[1]) ? scale : undefined
  return unit === "share" ? [0, 1] : undefined
}

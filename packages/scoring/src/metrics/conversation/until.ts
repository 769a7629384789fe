import type { BoundMetric, ScoreInput, ScoreOptions } from "../bound-metric.ts"

/** Returns whether the answer of a turn passes a check: its first score is at least 1. */
export async function passes(metric: BoundMetric, input: ScoreInput, options: ScoreOptions): Promise<boolean> {
  const { scores } = await metric.score(input, options)
  const value = scores[metric.scores[0] ?? ""]
  return typeof value === "number" && value >= 1
}

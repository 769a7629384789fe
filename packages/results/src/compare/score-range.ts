import type { ScoreComparison } from "@assay/schemas"
import { labelQuestion } from "../labels/label-question.ts"
import type { JobToCompare } from "./job-to-compare.ts"

/** Returns the lowest and the highest value that a score can have, as its judge or its values tell; undefined if neither does. */
export function scoreRange(
  config: JobToCompare["config"],
  { metric, score, unit }: Pick<ScoreComparison, "metric" | "score" | "unit">,
): readonly [low: number, high: number] | undefined {
  const isShare = unit === "share"
  const seen = isShare ? { low: 0, high: 1 } : { low: -Infinity, high: Infinity }
  const { low, high } = labelQuestion(config, `${metric}.${score}`, seen)
  if (low !== null && high !== null) return [low, high]
  return isShare ? [0, 1] : undefined
}

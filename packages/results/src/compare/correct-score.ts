import type { RowValues } from "@assay/metrics"
import type { CorrectedDifference, ScoreComparison } from "@assay/schemas"
import { isJudgeMetric } from "../labels/judge-advice.ts"
import { labelQuestion } from "../labels/label-question.ts"
import { type ComparisonLabels, correctPair } from "./correct-pair.ts"
import type { JobToCompare, TaskValues } from "./job-to-compare.ts"
import type { ScoredSides } from "./scored-pairs.ts"

/** A score of two jobs that labels may correct. */
export interface ScoreToCorrect {
  readonly baseline: { readonly job: JobToCompare }
  readonly side: { readonly job: JobToCompare }
  readonly score: Pick<ScoreComparison, "task" | "metric" | "score" | "higher_is_better" | "decides">
  readonly labels: ComparisonLabels
  readonly margin: number
}

interface TaskOfScore {
  readonly baseline: TaskValues
  readonly other: TaskValues
  readonly values: readonly [baseline: RowValues, job: RowValues]
  readonly isSameRow: (row: number) => boolean
}

/**
 * Chooses the scores that people correct: those of judges and those with labels, or if there are none, all that decide. An exact check beside a
 * judge needs no people.
 */
export function scoresToCorrect<Score extends ScoreToCorrect["score"]>(
  scores: readonly Score[],
  { rows }: ComparisonLabels,
  config: JobToCompare["config"],
): ReadonlySet<Score> {
  const labelled = new Set(rows.map(({ metric }) => metric))
  const deciding = scores.filter(({ decides }) => decides)
  const chosen = deciding.filter(
    (score) => labelled.has(`${score.metric}.${score.score}`) || isJudgeMetric(config, score),
  )
  return new Set(chosen.length === 0 ? deciding : chosen)
}

/** Corrects the difference of a score by labels of people. */
export function correctScore(
  { baseline, side, score, labels, margin }: ScoreToCorrect,
  task: TaskOfScore,
): CorrectedDifference | undefined {
  const name = `${score.metric}.${score.score}`
  const { config } = baseline.job
  const sides = sidesOf(task)
  if (sides === undefined) return undefined
  return correctPair(sides, {
    labels,
    score: name,
    jobs: [baseline.job.id, side.job.id],
    names: [baseline.job.name, side.job.name],
    scale: labelQuestion(config, name, spanOf(task.values)),
    margin,
    higherIsBetter: score.higher_is_better,
  })
}

/** Returns the values and digests of both sides; undefined if digests were not read. */
export function sidesOf({ baseline, other, values, isSameRow }: TaskOfScore): ScoredSides | undefined {
  if (baseline.digests === null || other.digests === null) return undefined
  return {
    baseline: { values: values[0], digests: baseline.digests },
    job: { values: values[1], digests: other.digests },
    groups: baseline.groups,
    isSameRow,
  }
}

/** Returns the lowest and the highest score. */
export function spanOf(values: readonly RowValues[]): { readonly low: number; readonly high: number } {
  let low = Infinity
  let high = -Infinity
  for (const one of values) {
    for (let row = 0; row < one.rows; row++) {
      for (let repeat = 0; repeat < one.repeats; repeat++) {
        const value = one.get(row, repeat)
        if (value < low) low = value
        if (value > high) high = value
      }
    }
  }
  return { low, high }
}

import type { BoundMetric } from "@assay/scoring"
import type { TaskPlan } from "../plan/task-plan.ts"

/** The parts of a metric that the numbers of its scores depend on, besides the scores of rows. */
export interface CountedMetric extends Pick<BoundMetric, "key" | "type" | "scores"> {
  readonly labels?: BoundMetric["labels"] | undefined
  readonly ranges?: BoundMetric["ranges"] | undefined
  readonly is_amount?: boolean | undefined
  /** The scores over all rows at once, which need the texts of the rows. */
  readonly of_texts: readonly string[]
}

/** A task whose rows can be counted without its templates and models. */
export interface CountedTask {
  readonly name: string
  readonly group?: string | undefined
  readonly repeats: number
  readonly cluster_by?: string | undefined
  readonly slices: readonly string[]
  readonly metrics: readonly CountedMetric[]
}

/** Describes a task without texts. */
export function describeTask({ name, group, repeats, clusterBy, slices = [], metrics }: TaskPlan): CountedTask {
  return {
    name,
    ...(group === undefined ? {} : { group }),
    repeats,
    ...(clusterBy === undefined ? {} : { cluster_by: clusterBy }),
    slices: [...slices],
    metrics: metrics.map(({ key, type, scores, labels, ranges, isAmount, createCorpusScores }) => ({
      key,
      type,
      scores: [...scores],
      ...(labels === undefined ? {} : { labels }),
      ...(ranges === undefined ? {} : { ranges }),
      ...(isAmount === undefined ? {} : { is_amount: isAmount }),
      of_texts: Object.keys(createCorpusScores?.() ?? {}),
    })),
  }
}

/** Returns a metric that counts the scores that rows have. Its scores over all rows at once are left out. */
export function countedMetric({ key, type, scores, labels, ranges, is_amount, of_texts }: CountedMetric): BoundMetric {
  return {
    key,
    type,
    scores: scores.filter((score) => !of_texts.includes(score)),
    ...(labels === undefined ? {} : { labels }),
    ...(ranges === undefined ? {} : { ranges }),
    ...(is_amount === undefined ? {} : { isAmount: is_amount }),
    isRemote: false,
    score: () => ({ scores: {} }),
  }
}

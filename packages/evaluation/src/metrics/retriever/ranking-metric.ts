import { scoreRanking } from "@assay/metrics"
import type { BoundMetric } from "../../plan/task-plan.ts"
import type { MetricDefinition } from "../metric-definition.ts"
import type { RankingScores } from "./ranking-scores.ts"
import { rankingOf, relevanceOf } from "./retriever-row.ts"

/** Defines the scores of a row's ranking against the documents that are relevant to its query, with the names of trec_eval. */
export function rankingMetric(key: string, { scores, cutoffs }: RankingScores): MetricDefinition {
  const bound: BoundMetric = {
    key,
    type: "retriever",
    scores,
    isRemote: false,
    score({ item }) {
      const all = scoreRanking(rankingOf(item), relevanceOf(item), cutoffs)
      return { scores: Object.fromEntries(scores.map((score) => [score, all[score] ?? "NaN"])) }
    },
  }
  return {
    key,
    type: "retriever",
    scores,
    fields: [],
    readsOutput: false,
    endpoints: [],
    bind: () => Promise.resolve(bound),
  }
}

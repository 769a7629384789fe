import { scoreRanking } from "@assay/metrics"
import { invalidRequest } from "@assay/schemas"
import type { BoundMetric } from "../bound-metric.ts"
import type { MetricDefinition } from "../metric-definition.ts"
import { rankingOf, relevanceOf } from "./retriever-row.ts"

/**
 * Defines the scores of a row's ranking against the documents that are relevant to its query, with the names of trec_eval. `names` are
 * `recall_5`, `P_5`, `ndcg_cut_10`, `recip_rank`, `map`, also as `recall@5`, `nDCG@10`, `MRR` and `MAP`. Without names, the metric has
 * the usual scores at depths 5 and 10.
 * @param location where the names are, for messages
 * @throws `invalid_request` for another name
 */
export function rankingMetric(key: string, names: readonly string[], location: string): MetricDefinition {
  const scores = [...new Set((names.length === 0 ? USUAL : names).map((name) => scoreName(name, location)))]
  const cutoffs = [...new Set(scores.flatMap((score) => /_(\d+)$/.exec(score)?.[1] ?? []).map(Number))]
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

const USUAL = ["recall_5", "ndcg_cut_5", "recall_10", "ndcg_cut_10", "recip_rank", "map"]
const WHOLE = new Map([
  ["mrr", "recip_rank"],
  ["recip_rank", "recip_rank"],
  ["map", "map"],
])
const AT_DEPTH = new Map([
  ["recall", "recall"],
  ["p", "P"],
  ["precision", "P"],
  ["ndcg", "ndcg_cut"],
  ["ndcg_cut", "ndcg_cut"],
])

function scoreName(name: string, location: string): string {
  const written = name.trim().toLowerCase()
  const whole = WHOLE.get(written)
  if (whole !== undefined) return whole
  const [, kind = "", depth = ""] = /^([a-z_]+?)(?:_at_|[_@])([1-9]\d{0,5})$/.exec(written) ?? []
  const found = AT_DEPTH.get(kind)
  if (found !== undefined) return `${found}_${depth}`
  const rule = `'${name}' is not a score of rankings; use recall_5, P_5, ndcg_cut_10, recip_rank or map.`
  throw invalidRequest(location.split("."), rule, "enum", name)
}

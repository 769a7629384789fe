import { invalidRequest } from "@assay/schemas"

/** The scores of rankings, and the depths at which they are computed. */
export interface RankingScores {
  readonly scores: readonly string[]
  readonly cutoffs: readonly number[]
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

/**
 * Reads the names of scores: `recall_5`, `P_5`, `ndcg_cut_10`, `recip_rank`, `map`, also as `recall@5`, `nDCG@10`, `MRR` and `MAP`.
 * Without names, returns the usual scores at depths 5 and 10.
 * @throws `invalid_request` for another name
 */
export function rankingScores(names: readonly string[], place: string): RankingScores {
  const scores = [...new Set((names.length === 0 ? USUAL : names).map((name) => scoreName(name, place)))]
  const cutoffs = scores.flatMap((score) => /_(\d+)$/.exec(score)?.[1] ?? []).map(Number)
  return { scores, cutoffs: [...new Set(cutoffs)] }
}

function scoreName(name: string, place: string): string {
  const written = name.trim().toLowerCase()
  const whole = WHOLE.get(written)
  if (whole !== undefined) return whole
  const [, kind = "", depth = ""] = /^([a-z_]+?)(?:_at_|[_@])([1-9]\d{0,5})$/.exec(written) ?? []
  const found = AT_DEPTH.get(kind)
  if (found !== undefined) return `${found}_${depth}`
  const rule = `'${name}' is not a score of rankings; use recall_5, P_5, ndcg_cut_10, recip_rank or map.`
  throw invalidRequest(place.split("."), rule, "enum", name)
}

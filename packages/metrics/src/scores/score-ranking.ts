/** The relevance of each judged document for a query. Above 0 is relevant; documents that are not judged are not relevant. */
export type RelevanceJudgements = ReadonlyMap<string, number>

/**
 * Scores one ranking under the names of trec_eval: `recall_k`, `P_k` and `ndcg_cut_k` for each cutoff k, `recip_rank` and `map`,
 * each 0 to 1. Means over queries are MRR and MAP. A query without relevant documents scores 0.
 *
 * A document counts at its first rank only, and takes a rank each time: trec_eval refuses such a ranking, and rankings by id cannot have one. Gains are the judgements, discounted by log2(rank + 1).
 * Source: trec_eval 9 (NIST); Järvelin & Kekäläinen, 2002, for nDCG.
 */
export function scoreRanking(
  ranking: readonly string[],
  judgements: RelevanceJudgements,
  cutoffs: readonly number[] = [5, 10],
): Readonly<Record<string, number>> {
  const gains = gainsOf(ranking, judgements)
  const ideal = [...judgements.values()].filter((gain) => gain > 0).toSorted((left, right) => right - left)
  const first = gains.findIndex((gain) => gain > 0)
  const scores: Record<string, number> = {
    recip_rank: first === -1 ? 0 : 1 / (first + 1),
    map: averagePrecision(gains, ideal.length),
  }
  for (const cutoff of cutoffs) {
    const found = gains.slice(0, cutoff).filter((gain) => gain > 0).length
    scores[`recall_${cutoff}`] = share(found, ideal.length)
    scores[`P_${cutoff}`] = share(found, cutoff)
    scores[`ndcg_cut_${cutoff}`] = share(discountedGain(gains, cutoff), discountedGain(ideal, cutoff))
  }
  return scores
}

function gainsOf(ranking: readonly string[], judgements: RelevanceJudgements): readonly number[] {
  const seen = new Set<string>()
  return ranking.map((document) => {
    if (seen.has(document)) return 0
    seen.add(document)
    return Math.max(judgements.get(document) ?? 0, 0)
  })
}

/** Returns the mean of the precision at the rank of each relevant document. */
function averagePrecision(gains: readonly number[], relevant: number): number {
  let found = 0
  let sum = 0
  for (const [index, gain] of gains.entries()) if (gain > 0) sum += (found += 1) / (index + 1)
  return share(sum, relevant)
}

function discountedGain(gains: readonly number[], cutoff: number): number {
  return gains.slice(0, cutoff).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

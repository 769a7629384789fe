import { checkReferences } from "../check-references.ts"
import { ngramMatches } from "../ngram-matches.ts"
import { splitAtSpace } from "../split-at-space.ts"
import type { ChrfOptions } from "./chrf-options.ts"
import { chrfScore } from "./chrf-score.ts"

/**
 * What a candidate has in common with the reference that suits it best. Per order: n-grams of the candidate, of the
 * reference, and of both.
 * @throws `invalid_request` without references
 */
export function chrfCounts(candidate: string, references: readonly string[], options: ChrfOptions): readonly number[] {
  checkReferences(references)
  const maxOrder = options.maxOrder ?? 6
  const own = characters(candidate, options)
  let best: readonly number[] = []
  let bestScore = -1
  for (const reference of references) {
    const counts = countsOf(own, characters(reference, options), maxOrder)
    const score = chrfScore(counts, options)
    if (score > bestScore) [best, bestScore] = [counts, score]
  }
  return best
}

function characters(text: string, { withSpace = false }: ChrfOptions): readonly string[] {
  return Array.from(withSpace ? text : splitAtSpace(text).join(""))
}

/** Runs of the candidate count where the reference has any of their length. */
function countsOf(own: readonly string[], expected: readonly string[], maxOrder: number): readonly number[] {
  return ngramMatches(own, [expected], maxOrder).flatMap((matches, index) => {
    const total = Math.max(expected.length - index, 0)
    return [total === 0 ? 0 : Math.max(own.length - index, 0), total, matches]
  })
}

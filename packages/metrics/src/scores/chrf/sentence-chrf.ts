import { chrfCounts } from "./chrf-counts.ts"
import type { ChrfOptions } from "./chrf-options.ts"
import { chrfScore } from "./chrf-score.ts"

/**
 * chrF2 of one candidate, 0 to 100, against the reference that suits it best, as sacreBLEU's `sentence_chrf`.
 * @throws `invalid_request` without references
 */
export function sentenceChrf(candidate: string, references: readonly string[], options: ChrfOptions = {}): number {
  return chrfScore(chrfCounts(candidate, references, options), options)
}

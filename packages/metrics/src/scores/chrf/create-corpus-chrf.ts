import { chrfCounts } from "./chrf-counts.ts"
import type { ChrfOptions } from "./chrf-options.ts"
import { chrfScore } from "./chrf-score.ts"

/** chrF of a whole corpus, of which it keeps three numbers per order however long it grows. */
export interface CorpusChrf {
  /** @throws `invalid_request` without references */
  add(candidate: string, references: readonly string[]): void
  /** 0 to 100, of all that was added so far; NaN before the first. */
  score(): number
}

/** Adds candidates up to one chrF2, as sacreBLEU's `corpus_chrf` does: n-grams are counted over the corpus, not averaged. */
export function createCorpusChrf(options: ChrfOptions = {}): CorpusChrf {
  const sums: number[] = []
  return {
    add(candidate, references) {
      chrfCounts(candidate, references, options).forEach((count, index) => (sums[index] = (sums[index] ?? 0) + count))
    },
    score: () => (sums.length === 0 ? Number.NaN : chrfScore(sums, options)),
  }
}

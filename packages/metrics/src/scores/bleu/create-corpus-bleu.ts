import { bleuCounts } from "./bleu-counts.ts"
import type { BleuOptions } from "./bleu-options.ts"
import { bleuScore } from "./bleu-score.ts"
import { bleuTokenizer } from "./bleu-tokenizer.ts"

/** BLEU of a whole corpus, of which it keeps ten numbers however long it grows. */
export interface CorpusBleu {
  /** @throws `invalid_request` without references */
  add(candidate: string, references: readonly string[]): void
  /** 0 to 100, of all that was added so far; NaN before the first. */
  score(): number
}

/** Adds candidates up to one BLEU, as sacreBLEU's `corpus_bleu` does: n-grams are counted over the corpus, not averaged. */
export function createCorpusBleu(options: BleuOptions = {}): CorpusBleu {
  const maxOrder = options.maxOrder ?? 4
  const tokenize = bleuTokenizer(options)
  const matches = Array.from({ length: maxOrder }, () => 0)
  const totals = Array.from({ length: maxOrder }, () => 0)
  let [candidateLength, referenceLength, added] = [0, 0, 0]
  return {
    add(candidate, references) {
      const counts = bleuCounts(tokenize(candidate), references.map(tokenize), maxOrder)
      added += 1
      candidateLength += counts.candidateLength
      referenceLength += counts.referenceLength
      for (let index = 0; index < maxOrder; index += 1) {
        matches[index] = (matches[index] ?? 0) + (counts.matches[index] ?? 0)
        totals[index] = (totals[index] ?? 0) + (counts.totals[index] ?? 0)
      }
    },
    score: () => (added === 0 ? Number.NaN : bleuScore({ candidateLength, referenceLength, matches, totals }, options)),
  }
}

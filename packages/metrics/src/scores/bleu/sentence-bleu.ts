import { bleuCounts } from "./bleu-counts.ts"
import type { BleuOptions } from "./bleu-options.ts"
import { bleuScore } from "./bleu-score.ts"
import { bleuTokenizer } from "./bleu-tokenizer.ts"

/**
 * BLEU of one candidate, 0 to 100. Leaves out orders for which it is too short.
 * The defaults are those of sacreBLEU's `sentence_bleu`.
 * @throws `invalid_request` without references
 */
export function sentenceBleu(candidate: string, references: readonly string[], options: BleuOptions = {}): number {
  const tokenize = bleuTokenizer(options)
  const counts = bleuCounts(tokenize(candidate), references.map(tokenize), options.maxOrder ?? 4)
  return bleuScore(counts, { effectiveOrder: true, ...options })
}

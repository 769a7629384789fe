import { ngramMatches } from "../ngram-matches.ts"
import { commonSubsequenceLength } from "./common-subsequence-length.ts"
import { createRougeTokenizer } from "./create-rouge-tokenizer.ts"
import { type RougeScore, rougeScore } from "./rouge-score.ts"

export interface RougeOptions {
  /** Compares the stems of English words. Default true. */
  readonly stemmer?: boolean
}

export interface RougeScores {
  readonly rouge1: RougeScore
  readonly rouge2: RougeScore
  readonly rouge3: RougeScore
  /** Of the longest sequence of words that both have in the same order, with gaps. */
  readonly rougeL: RougeScore
}

export interface Rouge {
  /** All scores of a candidate against its reference. */
  score(candidate: string, reference: string): RougeScores
}

/**
 * Opens ROUGE-1, -2, -3 and -L as rouge-score computes them. Keeps up to 20,000 stems.
 * Letters outside a–z split words: texts in other scripts have no tokens and score 0.
 * Source: Lin, 2004, "ROUGE: A Package for Automatic Evaluation of Summaries".
 */
export function createRouge({ stemmer = true }: RougeOptions = {}): Rouge {
  const tokenize = createRougeTokenizer(stemmer)
  return {
    score(candidate, reference) {
      const own = tokenize(candidate)
      const expected = tokenize(reference)
      const matches = ngramMatches(own, [expected], 3)
      const ofOrder = (order: number): RougeScore =>
        rougeScore(matches[order - 1] ?? 0, own.length - order + 1, expected.length - order + 1)
      return {
        rouge1: ofOrder(1),
        rouge2: ofOrder(2),
        rouge3: ofOrder(3),
        rougeL: rougeScore(commonSubsequenceLength(expected, own), own.length, expected.length),
      }
    },
  }
}

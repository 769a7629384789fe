import { ngramMatches } from "../ngram-matches.ts"
import { commonSubsequenceLength, commonSubsequenceSteps } from "./common-subsequence-length.ts"
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
  /** The same for long texts: waits for `pause` every few milliseconds, so that others have their turn. */
  scoreInTurns(candidate: string, reference: string, pause: () => Promise<void>): Promise<RougeScores>
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
      const [own, expected] = [tokenize(candidate), tokenize(reference)]
      return scoresOf(own, expected, commonSubsequenceLength(expected, own))
    },
    async scoreInTurns(candidate, reference, pause) {
      const [own, expected] = [tokenize(candidate), tokenize(reference)]
      const steps = commonSubsequenceSteps(expected, own)
      for (;;) {
        await pause()
        const step = steps.next()
        if (step.done === true) return scoresOf(own, expected, step.value)
      }
    },
  }
}

function scoresOf(own: readonly string[], expected: readonly string[], common: number): RougeScores {
  const matches = ngramMatches(own, [expected], 3)
  const ofOrder = (order: number): RougeScore =>
    rougeScore(matches[order - 1] ?? 0, own.length - order + 1, expected.length - order + 1)
  return {
    rouge1: ofOrder(1),
    rouge2: ofOrder(2),
    rouge3: ofOrder(3),
    rougeL: rougeScore(common, own.length, expected.length),
  }
}

import { ngramMatches } from "../ngram-matches.ts"
import { commonSubsequenceLength, commonSubsequenceSteps } from "./common-subsequence-length.ts"
import { porterStem } from "./porter-stem.ts"

/** The overlap of a candidate and its reference. Each share is 0 to 1. */
export interface RougeScore {
  /** The share of the candidate that is in the reference. */
  readonly precision: number
  /** The share of the reference that is in the candidate. */
  readonly recall: number
  /** The harmonic mean of both. */
  readonly fMeasure: number
}

/** Computes the score of `matches` from the sizes of candidate and reference. All shares are 0 if one of them is empty. */
function rougeScore(matches: number, candidate: number, reference: number): RougeScore {
  const precision = matches / Math.max(candidate, 1)
  const recall = matches / Math.max(reference, 1)
  return { precision, recall, fMeasure: matches === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

export interface RougeOptions {
  /** Compare the stems of English words. Default true. */
  readonly stemmer?: boolean
}

export interface RougeScores {
  readonly rouge1: RougeScore
  readonly rouge2: RougeScore
  readonly rouge3: RougeScore
  /** The score of the longest common subsequence of words. */
  readonly rougeL: RougeScore
}

export interface Rouge {
  /** Returns all scores of a candidate against its reference. */
  score(candidate: string, reference: string): RougeScores
  /** Computes the same for long texts, and awaits `pause` every few milliseconds so that other work can run. */
  scoreInTurns(candidate: string, reference: string, pause: () => Promise<void>): Promise<RougeScores>
}

/**
 * Creates ROUGE-1, -2, -3 and -L as rouge-score computes them. It caches up to 20,000 stems.
 * Letters outside a–z split words, so texts in other scripts have no tokens and score 0.
 * Source: Lin, 2004, "ROUGE: A Package for Automatic Evaluation of Summaries".
 */
export function createRouge({ stemmer = true }: RougeOptions = {}): Rouge {
  const tokenize = createRougeTokenizer(stemmer)
  return {
    score(candidate, reference) {
      const own = tokenize(candidate)
      const expected = tokenize(reference)
      return scoresOf(own, expected, commonSubsequenceLength(expected, own))
    },
    async scoreInTurns(candidate, reference, pause) {
      const own = tokenize(candidate)
      const expected = tokenize(reference)
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

const MAX_STEMS = 20_000
/** Stems of longer words are not cached. */
const MAX_CACHED_LENGTH = 40

/** Splits texts as rouge-score does: lower case, runs of a–z and 0–9. The stemmer applies to words of more than 3 letters. */
function createRougeTokenizer(stemmer: boolean): (text: string) => readonly string[] {
  const stems = new Map<string, string>()
  const stem = (word: string): string => {
    if (word.length <= 3) return word
    const known = stems.get(word)
    if (known !== undefined) return known
    const found = porterStem(word)
    if (word.length > MAX_CACHED_LENGTH) return found
    if (stems.size === MAX_STEMS) stems.clear()
    stems.set(word, found)
    return found
  }
  return (text) => {
    const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
    return stemmer ? words.map(stem) : words
  }
}

import { ngramMatches } from "../ngram-matches.ts"
import { commonSubsequenceLength, commonSubsequenceSteps } from "./common-subsequence-length.ts"
import { porterStem } from "./porter-stem.ts"

/** How much of a reference a candidate has, and the other way round: each 0 to 1. */
export interface RougeScore {
  /** The share of the candidate that is in the reference. */
  readonly precision: number
  /** The share of the reference that is in the candidate. */
  readonly recall: number
  /** The harmonic mean of both. */
  readonly fMeasure: number
}

/** The score of `matches` among so many of the candidate and of the reference; all 0 where one of them is empty. */
function rougeScore(matches: number, candidate: number, reference: number): RougeScore {
  const precision = matches / Math.max(candidate, 1)
  const recall = matches / Math.max(reference, 1)
  return { precision, recall, fMeasure: matches === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

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

const MAX_STEMS = 20_000
const LONGEST_KEPT = 40

/** Cuts texts as rouge-score does: lower case, runs of a–z and 0–9, longer ones than three letters stemmed where asked for. */
function createRougeTokenizer(stemmer: boolean): (text: string) => readonly string[] {
  const stems = new Map<string, string>()
  const stem = (word: string): string => {
    if (word.length <= 3) return word
    const known = stems.get(word)
    if (known !== undefined) return known
    const found = porterStem(word)
    if (word.length > LONGEST_KEPT) return found
    if (stems.size === MAX_STEMS) stems.clear()
    stems.set(word, found)
    return found
  }
  return (text) => {
    const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
    return stemmer ? words.map(stem) : words
  }
}

import { ngramMatches } from "../ngram-matches.ts"
import { commonSubsequenceLength } from "./common-subsequence-length.ts"
import { porterStem } from "./porter-stem.ts"
import { summaryMatchSteps } from "./summary-matches.ts"

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
  /** The same for each line, over all lines. NaN for texts of several lines with more than 250 million pairs of words. */
  readonly rougeLsum: RougeScore
}

export interface Rouge {
  /** Returns all scores of a candidate against its reference. */
  score(candidate: string, reference: string): RougeScores
  /** Computes the same for long texts, and awaits `pause` every few milliseconds so that other work can run. */
  scoreInTurns(candidate: string, reference: string, pause: () => Promise<void>): Promise<RougeScores>
}

/**
 * Creates ROUGE-1, -2, -3, -L and -Lsum as rouge-score computes them. It caches up to 20,000 stems.
 * Letters outside a–z split words, so texts in other scripts have no tokens and score 0.
 * Source: Lin, 2004, "ROUGE: A Package for Automatic Evaluation of Summaries".
 */
export function createRouge({ stemmer = true }: RougeOptions = {}): Rouge {
  const tokenize = createRougeTokenizer(stemmer)
  return {
    score(candidate, reference) {
      const steps = scoreSteps(tokenize, candidate, reference)
      for (;;) {
        const step = steps.next()
        if (step.done === true) return step.value
      }
    },
    async scoreInTurns(candidate, reference, pause) {
      const steps = scoreSteps(tokenize, candidate, reference)
      for (;;) {
        await pause()
        const step = steps.next()
        if (step.done === true) return step.value
      }
    },
  }
}

type Tokenize = (text: string) => readonly string[]

/** Computes all scores in steps of a few milliseconds. */
function* scoreSteps(
  tokenize: Tokenize,
  candidate: string,
  reference: string,
): Generator<void, RougeScores, undefined> {
  const own = tokenize(candidate)
  const expected = tokenize(reference)
  const scores = scoresOf(own, expected, yield* commonSubsequenceLength(expected, own))
  const areLines = !`${candidate}${reference}`.includes("\n")
  if (areLines) return { ...scores, rougeLsum: scores.rougeL }
  if (own.length * expected.length > MAX_PAIRS) return { ...scores, rougeLsum: UNKNOWN }
  const linesOf = (text: string) => text.split("\n").map(tokenize)
  const matches = yield* summaryMatchSteps(linesOf(reference), linesOf(candidate))
  return { ...scores, rougeLsum: rougeScore(matches, own.length, expected.length) }
}

/** A second of work. */
const MAX_PAIRS = 250_000_000
const UNKNOWN: RougeScore = { precision: Number.NaN, recall: Number.NaN, fMeasure: Number.NaN }

function scoresOf(own: readonly string[], expected: readonly string[], common: number): Omit<RougeScores, "rougeLsum"> {
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

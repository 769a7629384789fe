import { checkReferences } from "./check-references.ts"
import { ngramMatches } from "./ngram-matches.ts"
import { splitAtSpace } from "./split-at-space.ts"

/** How chrF is computed. The defaults are those of sacreBLEU's chrF2. */
export interface ChrfOptions {
  /** The weight of recall relative to precision. Default 2. */
  readonly beta?: number
  /** The length of the longest character n-grams. Default 6. */
  readonly maxOrder?: number
  /** The length of the longest n-grams of words, which count beside those of characters: 2 is chrF++. Default 0. */
  readonly wordOrder?: number
  /** Count white space as characters. Default false. */
  readonly withSpace?: boolean
  /** Count orders that a text is too short for with 1e-16, as chrF++.py does, instead of leaving them out. Default false. */
  readonly epsilonSmoothing?: boolean
}

/**
 * Computes chrF2 of one candidate, 0 to 100, against its best reference, as sacreBLEU's `sentence_chrf` does.
 * @throws `invalid_request` without references
 */
export function sentenceChrf(candidate: string, references: readonly string[], options: ChrfOptions = {}): number {
  return chrfScore(chrfCounts(candidate, references, options), options)
}

/** chrF of a whole corpus. It keeps 3 numbers per order for a corpus of any size. */
export interface CorpusChrf {
  /** @throws `invalid_request` without references */
  add(candidate: string, references: readonly string[]): void
  /** Returns 0 to 100 for everything that was added so far, or NaN if nothing was. */
  score(): number
}

/** Creates one chrF2 over many candidates, as sacreBLEU's `corpus_chrf` does: n-grams are counted over the corpus, not averaged. */
export function createCorpusChrf(options: ChrfOptions = {}): CorpusChrf {
  const sums: number[] = []
  return {
    add(candidate, references) {
      chrfCounts(candidate, references, options).forEach((count, index) => (sums[index] = (sums[index] ?? 0) + count))
    },
    score: () => (sums.length === 0 ? Number.NaN : chrfScore(sums, options)),
  }
}

/**
 * Counts n-grams against the best reference. For each order: n-grams of the candidate, of the reference, and of both.
 * @throws `invalid_request` without references
 */
function chrfCounts(candidate: string, references: readonly string[], options: ChrfOptions): readonly number[] {
  checkReferences(references)
  const { maxOrder = 6, wordOrder = 0 } = options
  const own = characters(candidate, options)
  const ownWords = wordOrder > 0 ? wordsOf(candidate) : []
  let best: readonly number[] = []
  let bestScore = -1
  for (const reference of references) {
    const ofCharacters = countsOf(own, characters(reference, options), maxOrder)
    const ofWords = wordOrder > 0 ? countsOf(ownWords, wordsOf(reference), wordOrder) : []
    const counts = [...ofCharacters, ...ofWords]
    const score = chrfScore(counts, options)
    if (score > bestScore) [best, bestScore] = [counts, score]
  }
  return best
}

function characters(text: string, { withSpace = false }: ChrfOptions): readonly string[] {
  return Array.from(withSpace ? text : splitAtSpace(text).join(""))
}

const PUNCTUATION = /[!-/:-@[-`{-~]/

/** Splits a text into words, and one mark of ASCII punctuation off the end of each, or else off its start. */
function wordsOf(text: string): readonly string[] {
  return splitAtSpace(text).flatMap((word) => {
    const isOne = word.length < 3 && Array.from(word).length === 1
    if (isOne) return [word]
    if (PUNCTUATION.test(word.slice(-1))) return [word.slice(0, -1), word.slice(-1)]
    return PUNCTUATION.test(word.charAt(0)) ? [word.charAt(0), word.slice(1)] : [word]
  })
}

/** Counts n-grams of each order. Those of the candidate count only if the reference has any of this length. */
function countsOf(own: readonly string[], expected: readonly string[], maxOrder: number): readonly number[] {
  return ngramMatches(own, [expected], maxOrder).flatMap((matches, index) => {
    const total = Math.max(expected.length - index, 0)
    return [total === 0 ? 0 : Math.max(own.length - index, 0), total, matches]
  })
}

const EPSILON = 1e-16

/**
 * Computes chrF from counts, 0 to 100: the F-score of n-gram precision and recall, each averaged over the orders.
 * @param counts for each order: n-grams of the candidate, of the reference, and of both
 * Source: Popović, 2015 and 2016 ("chrF deconstructed"), and 2017 for words (chrF++), as sacreBLEU 2 computes it.
 */
function chrfScore(counts: readonly number[], { beta = 2, epsilonSmoothing = false }: ChrfOptions): number {
  const factor = beta * beta
  const orders = counts.length / 3
  let precisions = 0
  let recalls = 0
  let scores = 0
  let reached = 0
  for (let order = 0; order < orders; order += 1) {
    const [own = 0, expected = 0, matches = 0] = counts.slice(3 * order, 3 * order + 3)
    const precision = own > 0 ? matches / own : EPSILON
    const recall = expected > 0 ? matches / expected : EPSILON
    scores += fScore(precision, recall, factor) ?? EPSILON
    if (own === 0 || expected === 0) continue
    reached += 1
    precisions += precision
    recalls += recall
  }
  if (epsilonSmoothing) return (100 * scores) / orders
  return reached === 0 ? 0 : 100 * (fScore(precisions / reached, recalls / reached, factor) ?? 0)
}

function fScore(precision: number, recall: number, factor: number): number | undefined {
  const divisor = factor * precision + recall
  return divisor > 0 ? ((1 + factor) * precision * recall) / divisor : undefined
}

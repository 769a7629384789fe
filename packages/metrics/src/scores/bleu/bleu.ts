import { checkReferences } from "../check-references.ts"
import { ngramMatches } from "../ngram-matches.ts"
import { bleuTokenizer } from "./bleu-tokenizer.ts"

/** How BLEU is computed. The defaults are those of sacreBLEU. */
export interface BleuOptions {
  /**
   * The value that replaces a precision of 0. `exp` halves the value for each such order (NIST), `floor` counts `smoothingValue` matches,
   * and `add-k` adds `smoothingValue` to matches and totals above unigrams. Default `exp`.
   */
  readonly smoothing?: "exp" | "floor" | "add-k" | "none"
  /** Default 0.1 for `floor`, 1 for `add-k`. */
  readonly smoothingValue?: number
  /** The length of the longest n-grams. Default 4. */
  readonly maxOrder?: number
  /** Leave out orders that the candidates are too short for. Default true for sentences, false for a corpus. */
  readonly effectiveOrder?: boolean
  /** `none` splits at white space only. Default `13a`. */
  readonly tokenizer?: "13a" | "intl" | "char" | "none"
  /** Convert texts to lower case first. Default false. */
  readonly lowercase?: boolean
}

/**
 * Computes BLEU of one candidate, 0 to 100. Orders that the candidate is too short for are left out.
 * The defaults are those of sacreBLEU's `sentence_bleu`.
 * @throws `invalid_request` without references
 */
export function sentenceBleu(candidate: string, references: readonly string[], options: BleuOptions = {}): number {
  const tokenize = bleuTokenizer(options)
  const counts = bleuCounts(tokenize(candidate), references.map(tokenize), options.maxOrder ?? 4)
  return bleuScore(counts, { effectiveOrder: true, ...options })
}

/** BLEU of a whole corpus. It keeps 10 numbers for a corpus of any size. */
export interface CorpusBleu {
  /** @throws `invalid_request` without references */
  add(candidate: string, references: readonly string[]): void
  /** Returns 0 to 100 for everything that was added so far, or NaN if nothing was. */
  score(): number
}

/** Creates one BLEU over many candidates, as sacreBLEU's `corpus_bleu` does: n-grams are counted over the corpus, not averaged. */
export function createCorpusBleu(options: BleuOptions = {}): CorpusBleu {
  const maxOrder = options.maxOrder ?? 4
  const tokenize = bleuTokenizer(options)
  const matches = Array.from({ length: maxOrder }, () => 0)
  const totals = Array.from({ length: maxOrder }, () => 0)
  let candidateLength = 0
  let referenceLength = 0
  let added = 0
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

/** The counts of a candidate, or the sums over many candidates. Index 0 is for unigrams. */
interface BleuCounts {
  readonly candidateLength: number
  readonly referenceLength: number
  readonly matches: readonly number[]
  readonly totals: readonly number[]
}

/**
 * Counts the n-grams that a candidate shares with its references. Each n-gram counts at most as often as it occurs in any one
 * reference. The reference length is the one closest to the candidate's; of two, the shorter.
 * @throws `invalid_request` without references
 */
export function bleuCounts(
  candidate: readonly string[],
  references: readonly (readonly string[])[],
  maxOrder: number,
): BleuCounts {
  checkReferences(references)
  return {
    candidateLength: candidate.length,
    referenceLength: closestLength(candidate, references),
    matches: ngramMatches(candidate, references, maxOrder),
    totals: Array.from({ length: maxOrder }, (_, index) => Math.max(candidate.length - index, 0)),
  }
}

function closestLength(candidate: readonly string[], references: readonly (readonly string[])[]): number {
  let closest = Number.POSITIVE_INFINITY
  for (const { length } of references) {
    const difference = Math.abs(length - candidate.length) - Math.abs(closest - candidate.length)
    if (difference < 0 || (difference === 0 && length < closest)) closest = length
  }
  return closest
}

/** The logarithm of 0, as in sacreBLEU. */
const LOG_OF_ZERO = -9_999_999_999

/**
 * Computes BLEU from counts, 0 to 100: the brevity penalty times the geometric mean of the n-gram precisions.
 * Source: Papineni et al., 2002; smoothing after Chen & Cherry, 2014; both as sacreBLEU 2 computes them.
 */
function bleuScore(counts: BleuCounts, options: BleuOptions): number {
  const { candidateLength, referenceLength, matches } = counts
  if (matches.every((count) => count === 0)) return 0
  const found = precisions(counts, options)
  const divisor = options.effectiveOrder === true ? found.length : matches.length
  let sum = (divisor - found.length) * LOG_OF_ZERO
  for (const precision of found) sum += precision === 0 ? LOG_OF_ZERO : Math.log(precision)
  const brevity = candidateLength < referenceLength ? Math.exp(1 - referenceLength / candidateLength) : 1
  return Math.min(brevity * Math.exp(sum / divisor), 100)
}

/** Returns the precisions in percent, up to the first order without n-grams. */
function precisions({ matches, totals }: BleuCounts, options: BleuOptions): readonly number[] {
  const smoothing = options.smoothing ?? "exp"
  const value = options.smoothingValue ?? (smoothing === "floor" ? 0.1 : 1)
  const found: number[] = []
  let halving = 1
  for (const [index, count] of totals.entries()) {
    const added = smoothing === "add-k" && index > 0 ? value : 0
    const total = count + added
    const matched = (matches[index] ?? 0) + added
    if (total === 0) break
    if (matched === 0) halving *= 2
    if (matched > 0) found.push((100 * matched) / total)
    else if (smoothing === "exp") found.push(100 / (halving * total))
    else found.push(smoothing === "floor" ? (100 * value) / total : 0)
  }
  return found
}

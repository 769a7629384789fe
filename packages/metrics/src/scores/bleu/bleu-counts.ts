import { checkReferences } from "../check-references.ts"
import { ngramMatches } from "../ngram-matches.ts"

/** All that BLEU needs to know of a candidate, or of any number of them added up. Index 0 is unigrams. */
export interface BleuCounts {
  readonly candidateLength: number
  readonly referenceLength: number
  readonly matches: readonly number[]
  readonly totals: readonly number[]
}

/**
 * What a candidate has in common with its references: each n-gram counts as often as the reference that has it most often.
 * The length that counts is that of the reference closest to the candidate's, the shorter one of two.
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

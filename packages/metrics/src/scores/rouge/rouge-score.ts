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
export function rougeScore(matches: number, candidate: number, reference: number): RougeScore {
  const precision = matches / Math.max(candidate, 1)
  const recall = matches / Math.max(reference, 1)
  return { precision, recall, fMeasure: matches === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

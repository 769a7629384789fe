import type { ChrfOptions } from "./chrf-options.ts"

const EPSILON = 1e-16

/**
 * chrF of counts (per order: n-grams of the candidate, of the reference, and of both), 0 to 100: the F-score of character n-gram precision and recall, each averaged over the orders.
 * Source: Popović, 2015 and 2016 ("chrF deconstructed"), as sacreBLEU 2 computes it.
 */
export function chrfScore(counts: readonly number[], { beta = 2, epsilonSmoothing = false }: ChrfOptions): number {
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

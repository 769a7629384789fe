import type { BleuCounts } from "./bleu-counts.ts"
import type { BleuOptions } from "./bleu-options.ts"

const LOG_OF_NOTHING = -9_999_999_999

/**
 * BLEU of counts, 0 to 100: brevity penalty times the geometric mean of the n-gram precisions.
 * Source: Papineni et al., 2002; smoothing after Chen & Cherry, 2014; both as sacreBLEU 2 computes them.
 */
export function bleuScore(counts: BleuCounts, options: BleuOptions): number {
  const { candidateLength, referenceLength, matches } = counts
  if (matches.every((count) => count === 0)) return 0
  const found = precisions(counts, options)
  const divisor = options.effectiveOrder === true ? found.length : matches.length
  let sum = (divisor - found.length) * LOG_OF_NOTHING
  for (const precision of found) sum += precision === 0 ? LOG_OF_NOTHING : Math.log(precision)
  const brevity = candidateLength < referenceLength ? Math.exp(1 - referenceLength / candidateLength) : 1
  return Math.min(brevity * Math.exp(sum / divisor), 100)
}

/** In percent, up to the first order for which there are no n-grams. */
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

import { rateUpperBound, type RateCounts } from "@assay/metrics"
import { formatShare } from "@assay/reports"
import type { Certificate } from "@assay/schemas"
import { formatP } from "./format-certificate.ts"
import { resultWord } from "./result-word.ts"

/** Says in one sentence why a candidate is certified, or why it is not. */
export function candidateReason(
  { name, result, p, certification, tuning }: Certificate["candidates"][number],
  { chosen, candidates, limits, alpha }: Pick<Certificate, "chosen" | "candidates" | "limits" | "alpha">,
): string {
  if (name === chosen) return "Chosen: it keeps the limits, and no other certified candidate has fewer misses."
  if (result === "certified") {
    const best = candidates.find((one) => one.name === chosen)
    const misses = tuning.miss.count + certification.miss.count
    const fewest = best === undefined ? misses : best.tuning.miss.count + best.certification.miss.count
    return misses > fewest
      ? `Certified too, with ${misses} misses in all instead of ${fewest}.`
      : "Certified too, with as many misses; the chosen one has no more false blocks."
  }
  if (result === "untested") return "Not tested: the sequence had ended before it, so nothing is said about it."
  const above = [
    ...aboveLimit(certification.false_block, limits.false_block, alpha, "of harmless messages are blocked"),
    ...(limits.miss === null ? [] : aboveLimit(certification.miss, limits.miss, alpha, "of harmful messages pass")),
  ]
  const word = resultWord({ result, certification }, { limits, alpha }) === "refused" ? "Refused" : "Undecided"
  return `${word} (p ${formatP(p)}, above ${alpha}), which ended the sequence: it may be that ${above.join(", and that ")}.`
}

function aboveLimit(counts: RateCounts, limit: number, alpha: number, what: string): readonly string[] {
  const bound = rateUpperBound(counts, alpha)
  return bound > limit ? [`up to ${formatShare(bound)} ${what}, where ${formatShare(limit)} are allowed`] : []
}

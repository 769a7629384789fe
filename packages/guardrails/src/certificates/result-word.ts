import { pRateWithinLimit } from "@assay/metrics"
import type { Certificate } from "@assay/schemas"

type Tested = Pick<Certificate["candidates"][number], "result" | "certification">

/**
 * Returns the word for the result of a candidate. A candidate that its test did not certify is `refused` only if the rows show that it is above a
 * limit, by the test that makes the verdict FAIL; otherwise it is `undecided`, and more rows could certify it. Certificates store both as `refused`.
 */
export function resultWord(
  { result, certification }: Tested,
  { limits, alpha }: Pick<Certificate, "limits" | "alpha">,
): Tested["result"] | "undecided" {
  if (result !== "refused") return result
  const risks = [
    [certification.false_block, limits.false_block] as const,
    ...(limits.miss === null ? [] : [[certification.miss, limits.miss] as const]),
  ]
  const isAbove = risks.some(([counts, limit]) => pRateWithinLimit(counts, limit) <= alpha / risks.length)
  return isAbove ? "refused" : "undecided"
}

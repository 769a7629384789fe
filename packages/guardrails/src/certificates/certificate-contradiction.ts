import { formatShare } from "@assay/reports"
import type { Certificate } from "@assay/schemas"
import { boundRate } from "./certificate-rates.ts"

/**
 * Returns why the counts of a certificate do not support the candidate that it chooses; undefined if they do. A file can come from anywhere, and
 * only `verifyCertificate` computes it again from the rows and the answers.
 */
export function certificateContradiction(certificate: Certificate): string | undefined {
  const { verdict, chosen, candidates, limits, alpha } = certificate
  if (chosen === null) return verdict === "PASS" ? "It says PASS, and certifies no candidate." : undefined
  const candidate = candidates.find(({ name }) => name === chosen)
  if (verdict !== "PASS" || candidate?.result !== "certified") {
    return `It chooses '${chosen}', which it does not certify.`
  }
  const { false_block: block, miss } = candidate.certification
  const broken = [
    ...above(boundRate(block, alpha).high, limits.false_block, "of safe prompts may be blocked"),
    ...(limits.miss === null ? [] : above(boundRate(miss, alpha).high, limits.miss, "of unsafe ones may pass")),
  ]
  return broken.length === 0 ? undefined : `By its own counts, ${broken.join(", and ")}.`
}

/** Differences of rounding do not contradict a limit. */
const ROUNDING = 1e-9

function above(bound: number, limit: number, what: string): readonly string[] {
  return bound > limit + ROUNDING
    ? [`up to ${formatShare(bound)} ${what}, where ${formatShare(limit)} are allowed`]
    : []
}

import { type Certificate, type CertificatePlan, readCertificatePlan } from "@assay/schemas"
import type { CalibrationJournal } from "../calibration/calibration-journal.ts"

/** Writes a plan as the journal keeps it. */
export function formatPlan({ alpha, seed, limits, limit, candidates }: CertificatePlan): string {
  const named = candidates.map(({ name, digest, base, threshold }) => ({ name, digest, base, threshold }))
  return JSON.stringify({ alpha, seed, limits, limit, candidates: named } satisfies CertificatePlan)
}

/**
 * Returns the plans that a certificate can be the result of, the likeliest first: those of its journal, because a certificate that was edited could leave out a
 * candidate, or name another threshold. A journal of an earlier version has no plans: then the candidates are those of the certificate.
 */
export function plansOf(
  certificate: Certificate,
  journal: Pick<CalibrationJournal, "plans"> | undefined,
): readonly [CertificatePlan, ...CertificatePlan[]] {
  const stored = journal?.plans().flatMap((text) => readCertificatePlan(text) ?? []) ?? []
  const last = stored.at(-1)
  if (last === undefined) return [ownPlan(certificate)]
  const question = questionOf(certificate)
  const same = stored.toReversed().filter((plan) => questionOf(plan) === question)
  const [first, ...others] = same
  return first === undefined ? [last] : [first, ...others]
}

function questionOf({ alpha, seed, limits, limit }: Omit<CertificatePlan, "candidates">): string {
  return JSON.stringify([alpha, seed, limits.false_block, limits.miss, limit])
}

function ownPlan({ alpha, seed, limits, limit, candidates }: Certificate): CertificatePlan {
  const named = candidates.map(({ name, digest, base = null, threshold = null }) => ({ name, digest, base, threshold }))
  return { alpha, seed, limits, limit, candidates: named }
}

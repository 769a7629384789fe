import { AssayError, type Certificate, type CertificatePlan } from "@assay/schemas"
import type { CalibrationOptions } from "../calibration/asking/run-calibration.ts"
import { digestAt, questionDigest } from "../configuration/configuration-digest.ts"
import type { LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"
import { plansOf } from "./certificate-plan.ts"
import { optimizeJudges } from "./optimize-judges.ts"

/** Something in a certificate that is not as it was. */
export interface CertificateFault {
  /** Such as `data_digest`. */
  readonly field: string
  readonly expected: string
  readonly found: string
}

/** The evidence for a certificate: the rows, and a journal with the answers. */
export interface CertificateEvidence extends Pick<CalibrationOptions, "journal" | "signal" | "now"> {
  /** Opens the rows of the certificate. It can be called several times. */
  readonly openRows: () => AsyncIterable<LabelledPrompt>
}

const CHECKED = [
  "data_digest",
  "answers_digest",
  "alpha",
  "seed",
  "limits",
  "limit",
  "tuning_share",
  "verdict",
  "chosen",
  "rates",
  "warnings",
  "copies",
  "candidates",
  "more_safe_rows",
] as const

/**
 * Computes a certificate again from its rows, the stored answers and the stored plan of its candidates, and returns what differs. Nothing is asked.
 * @throws `bad_usage` if an answer is not there
 */
export async function verifyCertificate(
  certificate: Certificate,
  evidence: CertificateEvidence,
): Promise<readonly CertificateFault[]> {
  const [first, ...others] = plansOf(certificate, evidence.journal)
  const faults = await faultsBy(first, certificate, evidence)
  for (const plan of others) {
    if (faults.length === 0) break
    if ((await faultsBy(plan, certificate, evidence)).length === 0) return []
  }
  return faults
}

/** Computes a certificate as a plan says, and returns what differs. */
async function faultsBy(
  { candidates, limits, limit, alpha, seed }: CertificatePlan,
  certificate: Certificate,
  { openRows, journal, ...evidence }: CertificateEvidence,
): Promise<readonly CertificateFault[]> {
  const { data, assay } = certificate
  const again = await optimizeJudges({
    ...evidence,
    rows: openRows(),
    journal: journal === undefined ? undefined : { ...journal, appendPlan: () => undefined },
    candidates: candidates.map(({ name, digest, base, threshold }) => ({
      name,
      // The digest that is enforced has to be that of the threshold and of the questions whose answers count.
      digest: base === null ? digest : digestAt(base, threshold),
      threshold,
      base,
      asked: {
        name,
        digest: base === null ? digest : questionDigest(base),
        judge: async () => {
          const message = `The answers of '${name}' are not all stored: keep the folder of the certificate, or optimize again.`
          throw new AssayError("bad_usage", message)
        },
      },
    })),
    data,
    limit: limit ?? undefined,
    maxFalseBlock: limits.false_block,
    maxMiss: limits.miss ?? undefined,
    alpha,
    seed,
    assay,
  })
  // Certificates of earlier versions lack some fields. A missing field can't be wrong.
  return CHECKED.filter((field) => certificate[field] !== undefined).flatMap((field) => {
    const expected = JSON.stringify(certificate[field])
    const found = JSON.stringify(again[field])
    return expected === found ? [] : [{ field, expected, found }]
  })
}

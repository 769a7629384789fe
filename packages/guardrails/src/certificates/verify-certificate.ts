import { AssayError, type Certificate } from "@assay/schemas"
import type { CalibrationOptions } from "../calibration/asking/run-calibration.ts"
import { digestAt, questionDigest } from "../configuration/configuration-digest.ts"
import { optimizeJudges } from "./optimize-judges.ts"

/** Something in a certificate that is not as it was. */
export interface CertificateFault {
  /** Such as `data_digest`. */
  readonly field: string
  readonly expected: string
  readonly found: string
}

/** The evidence for a certificate: the rows, and a journal with the answers. */
export type CertificateEvidence = Pick<CalibrationOptions, "rows" | "journal" | "signal" | "now">

const CHECKED = [
  "data_digest",
  "answers_digest",
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
 * Computes a certificate again from its rows and the stored answers, and returns what differs. Nothing is asked.
 * @throws `bad_usage` if an answer is not there
 */
export async function verifyCertificate(
  certificate: Certificate,
  evidence: CertificateEvidence,
): Promise<readonly CertificateFault[]> {
  const { candidates, data, limits, alpha, seed, assay } = certificate
  const again = await optimizeJudges({
    ...evidence,
    candidates: candidates.map(({ name, digest, base = null, threshold = null }) => ({
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
    limit: certificate.limit ?? undefined,
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

import { type KeyObject, X509Certificate } from "node:crypto"
import { AssayError } from "@assay/schemas/errors"
import { X509Certificate as CertificateFields } from "@sigstore/core"

/** Maximum number of certificates in a signature. */
export const MAX_CHAIN = 10
const CODE_SIGNING = "1.3.6.1.5.5.7.3.3"

/** The certificate of a signer, whose chain ends at a trusted one. */
export interface ChainedSigner {
  readonly key: KeyObject
  /** Its subject on one line, such as `CN=model-signing, O=Example`. */
  readonly subject: string
}

/**
 * Verifies that a chain of certificates (DER, the signer's first) leads to a trusted one, and returns the key of the signer. Certificates have
 * to be valid at the time at which the signer's became valid, because a signature has no time of its own. Undefined if the chain ends
 * nowhere that is trusted. @throws `bad_signature` if a certificate can't be read, or must not sign
 */
export function verifyChain(chain: readonly Buffer[], roots: readonly X509Certificate[]): ChainedSigner | undefined {
  const [signer, ...between] = chain.map(readCertificate)
  if (signer === undefined) throw new AssayError("bad_signature", "The signature has no certificate.")
  checkMaySign(signer)
  if (!leadsToRoot(signer, between, roots)) return undefined
  return { key: signer.publicKey, subject: signer.subject.split("\n").toReversed().join(", ") }
}

function readCertificate(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch (error) {
    throw new AssayError("bad_signature", "A certificate of the signature can't be read.", { cause: error })
  }
}

/** Follows issuers upwards. Each certificate is used once, so that a circle ends. */
function leadsToRoot(
  signer: X509Certificate,
  between: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): boolean {
  const at = signer.validFromDate
  const unused = new Set(between)
  let current = signer
  for (let below = 0; below <= MAX_CHAIN; below += 1) {
    if (roots.some((root) => mayIssue(root, current, below, at))) return true
    const issuer = [...unused].find((one) => mayIssue(one, current, below, at))
    if (issuer === undefined) return false
    unused.delete(issuer)
    current = issuer
  }
  return false
}

/** Returns whether `issuer` issued a certificate with `below` certificates of authorities under it. */
function mayIssue(issuer: X509Certificate, issued: X509Certificate, below: number, at: Date): boolean {
  const isValid = issuer.validFromDate <= at && at <= issuer.validToDate
  if (!isValid || !issuer.ca || !issued.checkIssued(issuer) || !issued.verify(issuer.publicKey)) return false
  const limit = fieldsOf(issuer).extBasicConstraints?.pathLenConstraint
  return limit === undefined || BigInt(below) <= limit
}

/** @throws `bad_signature` */
function checkMaySign(certificate: X509Certificate): void {
  if (fieldsOf(certificate).extKeyUsage?.digitalSignature === true) return
  // Without extended uses, Node returns undefined.
  const uses = certificate.keyUsage as readonly string[] | undefined
  if (uses?.includes(CODE_SIGNING) === true) return
  throw new AssayError(
    "bad_signature",
    "The certificate of the signer is for other uses than signing: it has neither digital signature as key usage nor code signing as extended key usage.",
  )
}

function fieldsOf(certificate: X509Certificate): CertificateFields {
  try {
    return CertificateFields.parse(Buffer.from(certificate.raw))
  } catch (error) {
    throw new AssayError("bad_signature", "The extensions of a certificate can't be read.", { cause: error })
  }
}

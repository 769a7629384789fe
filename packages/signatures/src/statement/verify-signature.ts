import { type KeyObject, verify } from "node:crypto"
import { AssayError } from "@assay/schemas/errors"
import { verifyChain } from "../keys/certificate-chain.ts"
import { ecDigest } from "../keys/ec-key.ts"
import type { TrustedKeys } from "../keys/trusted-keys.ts"
import { type ModelSignature, unreadable } from "./model-signature.ts"
import { formerSigningBytes, signingBytes } from "./signing-bytes.ts"

/**
 * Maximum size of a statement that names no key, or is of a release before 1.0. Each trusted key is tried for the one, and the other is written out
 * byte by byte.
 */
const MAX_FORMER_BYTES = 1_048_576

/** The signer of a statement. */
export interface Signer {
  /** The file of the trusted key, or the subject of the certificate. */
  readonly name: string
}

/**
 * Verifies that somebody who is trusted signed the statement. Returns who, or undefined if the signer is not among the trusted ones.
 * @throws `bad_signature` if the statement was changed, or the certificate must not sign
 */
export function verifySignature(signature: ModelSignature, trusted: TrustedKeys): Signer | undefined {
  const { material } = signature
  if (material.kind === "certificates") {
    const signer = verifyChain(material.chain, trusted.roots)
    if (signer === undefined) return undefined
    if (!isSignedBy(signature, signer.key)) throw changed()
    return { name: signer.subject }
  }
  const { hint } = material
  if (hint === undefined && signature.payload.length > MAX_FORMER_BYTES) {
    throw unreadable(`it names no key, and has more than ${MAX_FORMER_BYTES} bytes`)
  }
  const named = trusted.keys.filter((key) => hint === undefined || hint === key.hint)
  const signer = named.find(({ key }) => isSignedBy(signature, key))
  if (signer !== undefined) return { name: signer.source }
  // A signature that names a trusted key and is not made by it was changed. One that names no key may be anybody's.
  if (hint !== undefined && named.length > 0) throw changed()
  return undefined
}

function changed(): AssayError {
  return new AssayError("bad_signature", "The signature does not fit what it signs: one of them was changed.")
}

function isSignedBy({ payload, signature, material }: ModelSignature, key: KeyObject): boolean {
  const digest = ecDigest(key)
  if (verify(digest, signingBytes(payload), key, signature)) return true
  if (payload.length > MAX_FORMER_BYTES) return false
  const former = formerSigningBytes(payload)
  // The first releases used SHA-256 for certificates with keys of any size.
  const formerDigests = material.kind === "certificates" ? new Set([digest, "sha256"]) : [digest]
  return [...formerDigests].some((one) => verify(one, former, key, signature))
}

import type { KeyObject } from "node:crypto"
import { AssayError } from "@assay/schemas/errors"

/** The curves that model signing knows, by OpenSSL's name, with the digest that belongs to each. */
const DIGESTS = { prime256v1: "sha256", secp384r1: "sha384", secp521r1: "sha512" } as const

/** Digest that a signature of an elliptic curve key is made over. */
export type EcDigest = (typeof DIGESTS)[keyof typeof DIGESTS]

/** Returns the digest that belongs to a key. @throws `bad_signature` for a key of another kind or curve */
export function ecDigest(key: KeyObject): EcDigest {
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (curve !== undefined && curve in DIGESTS) return DIGESTS[curve as keyof typeof DIGESTS]
  const kind = curve ?? key.asymmetricKeyType ?? "secret"
  throw new AssayError(
    "bad_signature",
    `A key of the kind '${kind}' can't sign models. Use an elliptic curve key on P-256, P-384 or P-521, such as one of 'openssl ecparam -name prime256v1 -genkey -noout'.`,
  )
}

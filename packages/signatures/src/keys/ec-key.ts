import type { KeyObject } from "node:crypto"
import { AssayError } from "@assay/schemas/errors"

/** The curves of keys that sign, by OpenSSL's name, with the digest that is as long as the numbers of each (FIPS 186-5). */
export const EC_DIGESTS = { prime256v1: "sha256", secp384r1: "sha384", secp521r1: "sha512" } as const

/** Digest that a signature of an elliptic curve key is made over. */
export type EcDigest = (typeof EC_DIGESTS)[keyof typeof EC_DIGESTS]

/** Returns the digest that belongs to a key. @throws `bad_signature` for a key of another kind or curve */
export function ecDigest(key: KeyObject): EcDigest {
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (curve !== undefined && curve in EC_DIGESTS) return EC_DIGESTS[curve as keyof typeof EC_DIGESTS]
  const kind = curve ?? key.asymmetricKeyType ?? "secret"
  throw new AssayError(
    "bad_signature",
    `A key of the kind '${kind}' can't sign models. Use an elliptic curve key on P-256, P-384 or P-521, such as one of 'openssl ecparam -name prime256v1 -genkey -noout'.`,
  )
}

import { createHash, createPublicKey, type KeyObject, X509Certificate } from "node:crypto"
import { AssayError } from "@assay/schemas/errors"
import { ecDigest } from "./ec-key.ts"

/** Maximum number of keys and certificates in one list of trusted ones: each of them is tried. */
const MAX_TRUSTED = 1000
const PRIVATE =
  "is a private key, and a signature is checked with a public one (`openssl pkey -in private.pem -pubout -out public.pem` writes it)"
const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----[^-]{1,20000}-----END \1-----/g

export interface TrustedKey {
  readonly key: KeyObject
  /** SHA-256 of the PEM text of the key, as signatures name it. Lower-case hex. */
  readonly hint: string
  /** The file that it was read from. */
  readonly source: string
}

/** Whose signatures are accepted. */
export interface TrustedKeys {
  readonly keys: readonly TrustedKey[]
  /** Certificates at which a chain of certificates can end. */
  readonly roots: readonly X509Certificate[]
}

/**
 * Reads public keys and certificates from the texts of PEM files, by name. Keys that can't sign models, such as those of verdict bundles, are left
 * out if there are others. @throws `bad_signature`
 */
export function parseTrustedKeys(files: ReadonlyMap<string, string>): TrustedKeys {
  const keys: TrustedKey[] = []
  const roots: X509Certificate[] = []
  const others: KeyObject[] = []
  for (const [source, text] of files) {
    const blocks = [...text.matchAll(BLOCK)]
    if (blocks.length === 0) throw unusable(source, "has no PEM block")
    for (const [block, label = ""] of blocks) {
      if (label === "CERTIFICATE") roots.push(readWith(source, () => new X509Certificate(block)))
      else if (label === "PUBLIC KEY") {
        const key = readWith(source, () => createPublicKey(block))
        if (canSign(key)) keys.push({ key, hint: keyHint(key), source })
        else others.push(key)
      } else if (label.includes("PRIVATE KEY")) throw unusable(source, PRIVATE)
      else throw unusable(source, `has a '${label}'`)
      if (keys.length + roots.length > MAX_TRUSTED) throw unusable(source, `is beyond ${MAX_TRUSTED} trusted keys`)
    }
  }
  // Says what is wrong with a key that is the only one.
  if (keys.length + roots.length === 0) for (const key of others) ecDigest(key)
  return { keys, roots }
}

function canSign(key: KeyObject): boolean {
  try {
    ecDigest(key)
    return true
  } catch {
    return false
  }
}

/** Returns the SHA-256 of the PEM text of a public key, by which a signature names it. */
export function keyHint(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "pem" }))
    .digest("hex")
}

function readWith<T>(source: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw unusable(source, "can't be read", error)
  }
}

function unusable(source: string, why: string, cause?: unknown): AssayError {
  return new AssayError(
    "bad_signature",
    `'${source}' ${why}. Trusted keys are PEM files with public keys or certificates.`,
    { cause },
  )
}

import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto"
import { AssayError, printable } from "@assay/schemas"
import { EC_DIGESTS } from "@assay/signatures"

/** A key that signs bundles. */
export interface SigningKey extends PublicKey {
  /** The public key in DER, in base64. */
  readonly publicKey: string
  /** The private key in DER, from which the salts of redacted rows are derived. */
  readonly secret: () => Buffer
  readonly sign: (message: Buffer) => Buffer
}

/** A key that checks signatures of bundles. */
export interface PublicKey {
  /** SHA-256 of the public key in DER (SubjectPublicKeyInfo), in hexadecimal. */
  readonly keyid: string
  readonly verify: (message: Buffer, signature: Buffer) => boolean
}

type EcCurve = keyof typeof EC_DIGESTS

/** Maximum number of characters of a key in PEM. */
const MAX_PEM = 64 * 1024

/** Reads a private key in PEM (PKCS#8) that signs: Ed25519, or EC on P-256, P-384 or P-521. @throws `bad_document` */
export function readSigningKey(pem: string, name: string): SigningKey {
  const key = parse(pem, name, createPrivateKey, "a private key in PEM (PKCS#8, without a passphrase)")
  const algorithm = algorithmOf(key, name)
  const publicKey = createPublicKey(key)
  const { der } = describe(publicKey)
  return {
    ...publicKeyOf(publicKey, name),
    publicKey: der.toString("base64"),
    secret: () => key.export({ type: "pkcs8", format: "der" }),
    sign: (message) => sign(algorithm, message, key),
  }
}

/** Reads a public key in PEM. @throws `bad_document`, also for a private key, which verification must not need */
export function readPublicKey(pem: string, name: string): PublicKey {
  if (pem.includes("PRIVATE KEY")) {
    const message = `'${printable(name)}' is a private key, and a signature is checked with a public one: \`openssl pkey -in private.pem -pubout -out public.pem\` writes it.`
    throw new AssayError("bad_document", message)
  }
  return publicKeyOf(
    parse(pem, name, (text) => createPublicKey(text), "a public key in PEM"),
    name,
  )
}

/** Reads the public key that a bundle contains: DER in base64. @throws `bad_document` */
export function readContainedKey(der: string): PublicKey {
  const name = "the public key of the bundle"
  const read = (text: string) => createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" })
  return publicKeyOf(parse(der, name, read, "a public key"), name)
}

function publicKeyOf(key: KeyObject, name: string): PublicKey {
  const algorithm = algorithmOf(key, name)
  return {
    keyid: describe(key).keyid,
    verify: (message, signature) => verify(algorithm, message, key, signature),
  }
}

function parse(text: string, name: string, read: (text: string) => KeyObject, what: string): KeyObject {
  try {
    if (text.length > MAX_PEM) throw new TypeError("too long")
    return read(text)
  } catch {
    // The reason of OpenSSL may repeat a part of the key.
    throw new AssayError("bad_document", `'${printable(name)}' is not ${what}.`)
  }
}

function algorithmOf(key: KeyObject, name: string): string | null {
  const type = key.asymmetricKeyType
  if (type === "ed25519") return null
  const curve = key.asymmetricKeyDetails?.namedCurve ?? ""
  const algorithm = type === "ec" && Object.hasOwn(EC_DIGESTS, curve) ? EC_DIGESTS[curve as EcCurve] : undefined
  if (algorithm !== undefined) return algorithm
  const found = type === "ec" ? `EC on ${printable(curve)}` : String(type)
  const message = `'${printable(name)}' is a key of the type ${found}; use Ed25519, or EC on P-256, P-384 or P-521: \`openssl genpkey -algorithm ed25519 -out private.pem\`.`
  throw new AssayError("bad_document", message)
}

function describe(key: KeyObject): { readonly keyid: string; readonly der: Buffer } {
  const der = key.export({ type: "spki", format: "der" })
  return { keyid: hash("sha256", der), der }
}

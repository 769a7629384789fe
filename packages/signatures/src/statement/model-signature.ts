import { fieldsOf, findJsonExcess, type JsonObject, listOf } from "@assay/json"
import { AssayError } from "@assay/schemas/errors"
import { MAX_CHAIN } from "../keys/certificate-chain.ts"

/** Maximum size of a signature: one of a model of 100,000 files has 20 MB. */
export const MAX_SIGNATURE_BYTES = 32 * 2 ** 20
export const PAYLOAD_TYPE = "application/vnd.in-toto+json"
const MEDIA_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json"
const LIMITS = { depth: 16, parts: 1000, values: 1000, keys: 100 }

/** The signer that a signature names: an unnamed key, or a chain of certificates (DER, the signer's first). */
export type SigningMaterial =
  | { readonly kind: "key"; readonly hint: string | undefined }
  | { readonly kind: "certificates"; readonly chain: readonly Buffer[] }

/** A signature as it is stored, of which nothing is verified. */
export interface ModelSignature {
  /** The signed statement, as its signer wrote it. */
  readonly payload: Buffer
  readonly signature: Buffer
  readonly material: SigningMaterial
}

/**
 * Reads a Sigstore bundle (0.3) with a DSSE envelope, which is the form of OpenSSF Model Signing.
 * @throws `bad_signature` if it is something else, or is signed without a key (Sigstore's keyless mode)
 */
export function parseModelSignature(bytes: Uint8Array): ModelSignature {
  const bundle = readJson(bytes)
  const { mediaType, verificationMaterial, dsseEnvelope } = bundle
  if (mediaType !== MEDIA_TYPE) throw unreadable(`its media type is not '${MEDIA_TYPE}'`)
  const { payload, payloadType, signatures } = fieldsOf(dsseEnvelope)
  if (payloadType !== PAYLOAD_TYPE) throw unreadable(`its payload is not '${PAYLOAD_TYPE}'`)
  const [signature, ...others] = listOf(signatures)
  if (signature === undefined || others.length > 0) throw unreadable("it does not have exactly one signature")
  return {
    payload: readBase64(payload, "payload"),
    signature: readBase64(fieldsOf(signature)["sig"], "signature"),
    material: readMaterial(fieldsOf(verificationMaterial)),
  }
}

/** Formats a signature as the bundle that other programs read. */
export function formatModelSignature({ payload, signature, material }: ModelSignature): string {
  return JSON.stringify({
    mediaType: MEDIA_TYPE,
    verificationMaterial: { ...formatMaterial(material), tlogEntries: [] },
    dsseEnvelope: {
      payload: payload.toString("base64"),
      payloadType: PAYLOAD_TYPE,
      signatures: [{ sig: signature.toString("base64"), keyid: "" }],
    },
  })
}

function formatMaterial(material: SigningMaterial): JsonObject {
  if (material.kind === "key") return { publicKey: { hint: material.hint } }
  return {
    x509CertificateChain: { certificates: material.chain.map((one) => ({ rawBytes: one.toString("base64") })) },
  }
}

function readMaterial({ publicKey, x509CertificateChain, certificate }: JsonObject): SigningMaterial {
  if (publicKey !== undefined) {
    const { hint } = fieldsOf(publicKey)
    return { kind: "key", hint: typeof hint === "string" && hint !== "" ? hint : undefined }
  }
  if (x509CertificateChain !== undefined) {
    const certificates = listOf(fieldsOf(x509CertificateChain)["certificates"])
    if (certificates.length > MAX_CHAIN) throw unreadable(`it has more than ${MAX_CHAIN} certificates`)
    const chain = certificates.map((one) => readBase64(fieldsOf(one)["rawBytes"], "certificate"))
    return { kind: "certificates", chain }
  }
  if (certificate !== undefined) {
    throw unreadable("it is signed without a key (Sigstore's keyless mode), which needs a log on the internet")
  }
  throw unreadable("it names neither a key nor certificates")
}

function readJson(bytes: Uint8Array): JsonObject {
  if (bytes.length > MAX_SIGNATURE_BYTES) throw unreadable(`it has more than ${MAX_SIGNATURE_BYTES} bytes`)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
  const excess = findJsonExcess(text, LIMITS)
  if (excess !== undefined) throw unreadable(`it has too many ${excess.limit} at character ${excess.position}`)
  try {
    return fieldsOf(JSON.parse(text))
  } catch (error) {
    throw unreadable("it is not JSON", error)
  }
}

function readBase64(value: unknown, name: string): Buffer {
  const isBase64 = typeof value === "string" && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value)
  if (!isBase64) throw unreadable(`its ${name} is not base64`)
  return Buffer.from(value, "base64")
}

/** Creates the error for a signature that is not one of a model. */
export function unreadable(why: string, cause?: unknown): AssayError {
  return new AssayError("bad_signature", `This is not a signature of a model that can be verified here: ${why}.`, {
    cause,
  })
}

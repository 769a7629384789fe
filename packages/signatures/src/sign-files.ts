import { createHash, createPublicKey, type KeyObject, sign, type X509Certificate } from "node:crypto"
import { AssayError } from "@assay/schemas/errors"
import type { Storage } from "@assay/storage"
import { ecDigest } from "./keys/ec-key.ts"
import { keyHint } from "./keys/trusted-keys.ts"
import { digestOf } from "./manifest/file-digests.ts"
import { PREDICATE_TYPE, STATEMENT_TYPE } from "./manifest/parse-manifest.ts"
import { isIgnored } from "./manifest/signed-manifest.ts"
import { formatModelSignature, type SigningMaterial } from "./statement/model-signature.ts"
import { signingBytes } from "./statement/signing-bytes.ts"

export interface SignFilesOptions {
  readonly storage: Pick<Storage, "list" | "read">
  /** Name of the model in the statement. */
  readonly name: string
  /** Private key on an elliptic curve. */
  readonly key: KeyObject
  /** Certificates of the key, the signer's first. Empty: the key alone signs. */
  readonly certificates: readonly X509Certificate[]
  /** Files and folders that are left out, such as the signature itself. */
  readonly ignored: readonly string[]
  readonly signal?: AbortSignal | undefined
  /** Called after each file with its size. */
  readonly onFile?: ((size: number) => void) | undefined
}

export interface SignedFiles {
  /** The text of the signature. */
  readonly signature: string
  readonly files: number
}

interface Resource {
  readonly name: string
  readonly algorithm: "sha256"
  readonly digest: string
}

/**
 * Signs all files of a model with their SHA-256 (OpenSSF Model Signing 1.0, https://github.com/sigstore/model-transparency).
 * @throws `bad_signature` if the key can't sign, does not belong to its certificate, or there is no file
 */
export async function signFiles(options: SignFilesOptions): Promise<SignedFiles> {
  const { key, certificates, name, ignored } = options
  const digest = ecDigest(key)
  const material = signingMaterial(key, certificates)
  const resources = await digestFiles(options)
  if (resources.length === 0) throw new AssayError("bad_signature", `'${name}' has no file that could be signed.`)
  const root = createHash("sha256")
  for (const one of resources) root.update(one.digest, "hex")
  const statement = {
    _type: STATEMENT_TYPE,
    subject: [{ name, digest: { sha256: root.digest("hex") } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      serialization: { method: "files", hash_type: "sha256", allow_symlinks: true, ignore_paths: ignored },
      resources,
    },
  }
  const payload = Buffer.from(JSON.stringify(statement))
  const signature = sign(digest, signingBytes(payload), key)
  return { signature: formatModelSignature({ payload, signature, material }), files: resources.length }
}

/** In the order of their names, as the verifier of others sorts them. */
async function digestFiles({ storage, ignored, signal, onFile }: SignFilesOptions): Promise<readonly Resource[]> {
  const resources: Resource[] = []
  for await (const { path, size } of storage.list({ signal })) {
    if (isIgnored(ignored, path)) continue
    const { bytes } = await storage.read(path, { signal })
    resources.push({ name: path, algorithm: "sha256", digest: await digestOf(bytes, "sha256") })
    onFile?.(size)
  }
  return resources
}

function signingMaterial(key: KeyObject, certificates: readonly X509Certificate[]): SigningMaterial {
  const [signer] = certificates
  if (signer === undefined) return { kind: "key", hint: keyHint(createPublicKey(key)) }
  if (!signer.checkPrivateKey(key)) {
    throw new AssayError("bad_signature", "The key does not belong to the first certificate.")
  }
  return { kind: "certificates", chain: certificates.map((one) => Buffer.from(one.raw)) }
}

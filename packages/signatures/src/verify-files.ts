import type { Storage } from "@assay/storage"
import { comparePaths, type FileDifference } from "./manifest/compare-paths.ts"
import { hasDigests } from "./manifest/file-digests.ts"
import { parseManifest } from "./manifest/parse-manifest.ts"
import type { SignedManifest } from "./manifest/signed-manifest.ts"
import type { TrustedKeys } from "./keys/trusted-keys.ts"
import { parseModelSignature } from "./statement/model-signature.ts"
import { verifySignature } from "./statement/verify-signature.ts"

/** A signature whose signer is trusted. */
export interface TrustedSignature {
  readonly signer: string
  readonly manifest: SignedManifest
}

/**
 * Opens a signature: verifies who signed, then reads what. Undefined if the signer is not among the trusted ones.
 * @throws `bad_signature` if it can't be read, or was changed
 */
export function openSignature(bytes: Uint8Array, trusted: TrustedKeys): TrustedSignature | undefined {
  const signature = parseModelSignature(bytes)
  const signer = verifySignature(signature, trusted)
  return signer && { signer: signer.name, manifest: parseManifest(signature.payload) }
}

export interface VerifyFilesOptions {
  readonly storage: Pick<Storage, "list" | "read">
  readonly manifest: SignedManifest
  /** Path of the signature among the files, which it can't contain. Undefined: it is somewhere else. */
  readonly own: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each file with its size. */
  readonly onFile?: ((size: number) => void) | undefined
}

/** The files that differ from what was signed, and what was read. */
export interface VerifiedFiles {
  readonly files: number
  readonly bytes: number
  readonly differing: readonly FileDifference[]
}

/** Reads all signed files and compares them with their digests. Names are compared first. */
export async function verifyFiles({
  storage,
  manifest,
  own,
  signal,
  onFile,
}: VerifyFilesOptions): Promise<VerifiedFiles> {
  const differing = await comparePaths(manifest, storage.list({ signal }), own)
  const missing = new Set(differing.filter(({ fault }) => fault === "missing").map(({ path }) => path))
  let files = 0
  let bytes = 0
  for (const { path, digests } of manifest.files) {
    if (missing.has(path)) continue
    const { file, bytes: content } = await storage.read(path, { signal })
    if (!(await hasDigests(content, digests))) differing.push({ path, fault: "changed" })
    files += 1
    bytes += file.size
    onFile?.(file.size)
  }
  return { files, bytes, differing }
}

import { MAX_DIFFERING, type SignatureStatus } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { FilePath, ReadResult, Storage } from "@assay/storage"
import type { TrustedKeys } from "./keys/trusted-keys.ts"
import { comparePaths } from "./manifest/compare-paths.ts"
import { createDigestCheck } from "./manifest/file-digests.ts"
import { isIgnored, type SignedDigest } from "./manifest/signed-manifest.ts"
import { readSignature } from "./statement/read-signature.ts"
import { openSignature, type TrustedSignature } from "./verify-files.ts"

/** Checks signatures of storages with files. */
export interface SignatureChecks {
  /** Says what a signature says of the names of the files. Files are not read. */
  check(storage: Storage, path: FilePath, signal: AbortSignal | undefined): Promise<SignatureStatus>
  /**
   * Returns a storage whose whole reads fail with `bad_signature` if a file is not the one that was signed. A read of a part can't be
   * checked. @throws `bad_signature` if nobody who is trusted has signed
   */
  guard(storage: Storage, path: FilePath): Promise<Storage>
}

/** Creates the checks. `trustedKeys` is called for each of them, so that a key that was removed is trusted no more. */
export function createSignatureChecks(trustedKeys: () => Promise<TrustedKeys>): SignatureChecks {
  return {
    async check(storage, path, signal) {
      const opened = await openTrusted(storage, path, { trusted: await trustedKeys(), signal })
      if ("state" in opened) return opened
      const differing = await comparePaths(opened.manifest, storage.list({ signal }), path)
      if (differing.length === 0) return { state: "verified", signer: opened.signer, reason: null, differing }
      const reason = `Of its files, ${differing.length} are missing or were not signed, such as '${differing[0]?.path}'.`
      return { state: "differs", signer: opened.signer, reason, differing: differing.slice(0, MAX_DIFFERING) }
    },

    async guard(storage, path) {
      const opened = await openTrusted(storage, path, { trusted: await trustedKeys(), signal: undefined })
      if ("state" in opened) throw new AssayError("bad_signature", opened.reason ?? opened.state, { context: { path } })
      return guarded(storage, opened, path)
    },
  }
}

interface Opening {
  readonly trusted: TrustedKeys
  readonly signal: AbortSignal | undefined
}

/** Opens a signature of somebody who is trusted, or says why there is none. */
async function openTrusted(
  storage: Storage,
  path: FilePath,
  { trusted, signal }: Opening,
): Promise<TrustedSignature | SignatureStatus> {
  const without = { signer: null, differing: [] }
  try {
    const opened = openSignature(await readSignature(storage, path, signal), trusted)
    if (opened !== undefined) return opened
    const reason = `The signature '${path}' is not of one of the trusted keys or certificates, which ASSAY_TRUSTED_KEYS names.`
    return { ...without, state: "untrusted", reason }
  } catch (error) {
    if (!isAssayError(error)) throw error
    if (error.code === "not_found") return { ...without, state: "missing", reason: error.message }
    if (error.code === "bad_signature") return { ...without, state: "unreadable", reason: error.message }
    throw error
  }
}

function guarded(storage: Storage, { manifest }: TrustedSignature, own: FilePath): Storage {
  const signed = new Map<string, readonly SignedDigest[]>(manifest.files.map(({ path, digests }) => [path, digests]))
  return {
    ...storage,
    async read(path, options = {}) {
      const digests = signed.get(path)
      if (digests === undefined && path !== own && !isIgnored(manifest.ignored, path)) {
        throw new AssayError("bad_signature", `'${path}' was not signed, and the fileset requires that it is.`)
      }
      const result = await storage.read(path, options)
      if (digests === undefined || result.range !== undefined) return result
      return { ...result, bytes: checked(result, digests) }
    },
  }
}

/** Yields the bytes of a whole file, the last piece only after all were compared, so that no reader gets a complete wrong file. */
async function* checked({ file, bytes }: ReadResult, digests: readonly SignedDigest[]): AsyncGenerator<Uint8Array> {
  const check = createDigestCheck(digests)
  let left = file.size
  const refuseOthers = () => {
    if (check.end()) return
    throw new AssayError("bad_signature", `'${file.path}' has other bytes than those that were signed.`)
  }
  for await (const piece of bytes) {
    check.update(piece)
    left -= piece.length
    if (left === 0) refuseOthers()
    yield piece
  }
  if (left !== 0 || file.size === 0) refuseOthers()
}

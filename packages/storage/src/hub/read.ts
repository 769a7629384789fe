import type { FilePath } from "../file-path.ts"
import { openRemoteRead } from "../remote/open-remote-read.ts"
import { verifyDigest, type ExpectedDigest } from "../remote/verify-digest.ts"
import type { ReadOptions, ReadResult, StoredFile } from "../storage.ts"
import type { HubContext } from "./context.ts"
import { fileMissing } from "./errors.ts"
import { createFileSource } from "./file-source.ts"
import { isGitOid, isSha256, storedFile } from "./hub-file.ts"
import { findFile } from "./list.ts"
import { hubTarget } from "./repository.ts"

/** Reads a file. A file that is read whole is compared with its digest. */
export async function readFile(hub: HubContext, path: FilePath, options: ReadOptions): Promise<ReadResult> {
  const target = hubTarget(hub.repository, "read", path)
  const source = createFileSource(hub, path, target)
  const { remote, readChunkSize: chunkSize } = hub
  const { headers, size, range, bytes, release } = await openRemoteRead({
    remote,
    source,
    target,
    chunkSize,
    ...options,
  })
  const digest = source.versionOf(headers) ?? null
  const isWhole = range === undefined || (range.start === 0 && range.end === size - 1)
  const expected = isWhole && digest !== null ? expectedDigest(digest, size) : undefined
  return {
    file: storedFile({ path, size, digest }),
    bytes: expected === undefined ? bytes : verifyDigest(bytes, { size, expected, target }),
    release,
    range,
  }
}

function expectedDigest(digest: string, size: number): ExpectedDigest | undefined {
  if (isSha256(digest)) return { algorithm: "sha256", hex: digest }
  // Git's hash of a blob includes its kind and length.
  return isGitOid(digest) ? { algorithm: "sha1", hex: digest, before: `blob ${size}\0` } : undefined
}

export async function statFile(hub: HubContext, path: FilePath, signal?: AbortSignal): Promise<StoredFile> {
  signal?.throwIfAborted()
  const target = hubTarget(hub.repository, "stat", path)
  const file = await findFile(hub, path, target, signal)
  if (file === undefined) throw fileMissing(target)
  return storedFile(file)
}

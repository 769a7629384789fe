import { createHash } from "node:crypto"
import type { StoredFile } from "@assay/storage"
import type { Commit, Revision, RevisionFile } from "./revisions.ts"

const COMMIT_DIGITS = 40

/**
 * Returns a stored file as a revision holds it. The version is the ETag, which is the same in listings and reads. A digest
 * would not do: it can become known later. Without an ETag, the version is the modification time.
 */
export function revisionFileOf({ path, size, etag, sha256, updatedAt }: StoredFile): RevisionFile {
  return { path, size, version: etag ?? String(updatedAt ?? ""), sha256 }
}

/** Returns 40 hex digits over paths, sizes and versions. */
export function commitOf(files: readonly RevisionFile[]): string {
  const hash = createHash("sha256")
  // Paths and ETags contain no control characters, so different lists give different texts.
  for (const { path, size, version } of files) hash.update(`${path}\0${size}\0${version}\n`)
  return hash.digest("hex").slice(0, COMMIT_DIGITS)
}

export function revisionOf(commit: Commit, files: readonly RevisionFile[]): Revision {
  let byPath: Map<string, RevisionFile> | undefined
  return {
    ...commit,
    files,
    get(path) {
      byPath ??= new Map(files.map((file) => [file.path, file]))
      return byPath.get(path)
    },
  }
}

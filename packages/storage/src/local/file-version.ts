import type { BigIntStats } from "node:fs"
import type { FileVersion } from "../digest-index.ts"
import type { FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"

export function fileVersion(path: string, stats: BigIntStats): FileVersion {
  return { path, size: Number(stats.size), mtimeNs: stats.mtimeNs }
}

/** Whether two looks at an open file saw the same bytes of the same file. */
export function isSameVersion(a: BigIntStats, b: BigIntStats): boolean {
  return a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev
}

/** The ETag is the digest where it is known; for a file that others put there, what the system changes with its content. */
export function fileEtag(stats: BigIntStats, sha256: string | undefined): string {
  return sha256 === undefined ? `"${stats.size}-${stats.mtimeNs}-${stats.ino}"` : `"${sha256}"`
}

export function storedFile(path: FilePath, stats: BigIntStats, sha256: string | undefined): StoredFile {
  return {
    path,
    size: Number(stats.size),
    etag: fileEtag(stats, sha256),
    sha256: sha256 ?? null,
    updatedAt: Number(stats.mtimeMs),
  }
}

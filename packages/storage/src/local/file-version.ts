import type { BigIntStats } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import type { FileVersion } from "../digest-index.ts"
import type { FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"
import { quickLook } from "./folders/quick-look.ts"

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

/** A replaced file that is further ahead than this was not stamped by a write, and its time is not followed. */
const REACH_NS = 1_000_000_000n

/**
 * The state of a file that is about to replace another, with a later modification time: so that no two versions of a
 * file share one. The clock of a file system ticks only every few milliseconds, and several writes fit into a tick.
 */
export async function stampAnew(
  file: FileHandle,
  replaced: BigIntStats | undefined,
  durable: boolean,
): Promise<BigIntStats> {
  let stats = quickLook.atHandle(file)
  if (replaced === undefined || replaced.mtimeNs - stats.mtimeNs > REACH_NS) return stats
  for (let step = 1; stats.mtimeNs <= replaced.mtimeNs; step++) {
    // In seconds, as a double: good for about a quarter of a microsecond.
    const later = Number(replaced.mtimeNs) / 1e9 + step * 1e-6
    await file.utimes(later, later)
    // A time that a crash takes back could give this file the digest of the one before.
    if (durable) await file.sync()
    stats = quickLook.atHandle(file)
  }
  return stats
}

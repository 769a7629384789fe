import type { BigIntStats } from "node:fs"
import type { FileVersion } from "../digest-index.ts"
import type { FilePath } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"
import { metadataCalls } from "./folders/metadata-calls.ts"
import type { NewFile } from "./writing/new-file.ts"

export function fileVersion(path: string, stats: BigIntStats): FileVersion {
  return { path, size: Number(stats.size), mtimeNs: stats.mtimeNs }
}

/** Returns whether two states of an open file are the same version of the same file. */
export function isSameVersion(a: BigIntStats, b: BigIntStats): boolean {
  return a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.dev === b.dev
}

/**
 * Returns the ETag: the digest if it is known. For a file written by another program, it is made of values that the
 * system changes with the content.
 */
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

/** If the replaced file's time is further ahead than this, no write of ours set it, and it is ignored. */
const REACH_NS = 1_000_000_000n

/**
 * Gives a file that will replace another a later modification time, and returns its state. No two versions of a file
 * may share a time: the clock of a file system ticks only every few milliseconds, and several writes fit into one tick.
 */
export async function advanceTime(
  file: Pick<NewFile, "fd" | "utimes" | "sync">,
  replaced: BigIntStats | undefined,
  durable: boolean,
): Promise<BigIntStats> {
  let stats = metadataCalls.atHandle(file)
  if (replaced === undefined || replaced.mtimeNs - stats.mtimeNs > REACH_NS) return stats
  for (let step = 1; stats.mtimeNs <= replaced.mtimeNs; step++) {
    // In seconds, as a double, which is exact to about a quarter of a microsecond.
    const later = Number(replaced.mtimeNs) / 1e9 + step * 1e-6
    await file.utimes(later, later)
    // If a crash undid the new time, the file could get the digest of the previous version.
    if (durable) await file.sync()
    stats = metadataCalls.atHandle(file)
  }
  return stats
}

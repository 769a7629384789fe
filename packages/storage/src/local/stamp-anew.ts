import type { BigIntStats } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { quickLook } from "./folders/quick-look.ts"

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

import type { BigIntStats } from "node:fs"
import type { FileHandle } from "node:fs/promises"

/**
 * The state of a file that is about to replace another, with a modification time that tells the two apart. The clock of
 * a file system ticks only every few milliseconds, so two writes of one size can end on the same tick.
 */
export async function stampAnew(
  file: FileHandle,
  replaced: BigIntStats | undefined,
  durable: boolean,
): Promise<BigIntStats> {
  let stats = await file.stat({ bigint: true })
  if (replaced === undefined) return stats
  for (let step = 1; isAlike(stats, replaced); step++) {
    // In seconds, as a double: good for about a quarter of a microsecond.
    const later = Number(replaced.mtimeNs) / 1e9 + step * 1e-6
    await file.utimes(later, later)
    // A time that a crash takes back would give this file the digest of the one before.
    if (durable) await file.sync()
    stats = await file.stat({ bigint: true })
  }
  return stats
}

function isAlike(a: BigIntStats, b: BigIntStats): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs
}

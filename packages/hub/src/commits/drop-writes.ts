import type { FilePath } from "@assay/storage"
import { orderPaths } from "./path-order.ts"

/** A line that writes a file, with the number of the line. */
export interface WriteLine {
  readonly path: FilePath
  readonly sha256: string
  readonly line: number
}

/** The last line about each path; undefined if that line deletes the file. */
export type LastWrites = ReadonlyMap<string, WriteLine | undefined>

export interface KeptWrites {
  /** Digests by path, in the order of the lines. */
  readonly writes: ReadonlyMap<FilePath, string>
  /** Deleted folders, with a slash at the end. The value is false if the commit itself wrote into the folder before: then it need not exist. */
  readonly folders: ReadonlyMap<string, boolean>
}

/**
 * Drops the writes that a later line deletes together with their folder. All lines are processed at once, because a commit
 * can alternate between writes and deletions a hundred thousand times.
 */
export function dropWrites(
  lines: readonly WriteLine[],
  last: LastWrites,
  deletedFolders: ReadonlyMap<string, number>,
): KeptWrites {
  const ordered = orderPaths(lines, ({ path }) => path)
  const dropped = new Set<WriteLine>()
  const folders = new Map<string, boolean>()
  for (const [folder, deletedAt] of deletedFolders) {
    const [start, end] = ordered.below(folder.slice(0, -1))
    let isWritten = false
    for (let at = start; at < end; at++) {
      const write = ordered.items[at]
      if (write === undefined || write.line > deletedAt) continue
      isWritten = true
      dropped.add(write)
    }
    folders.set(folder, !isWritten)
  }
  const kept = lines.filter((write) => last.get(write.path) === write && !dropped.has(write))
  return { writes: new Map(kept.map(({ path, sha256 }) => [path, sha256])), folders }
}

import { compareCodePoints, isFilePath } from "../../file-path.ts"
import type { Folder } from "../folders/folder.ts"
import { isTemporaryPath } from "../writing/temporary-file.ts"
import { listChildren, orderOf, type Child } from "./list-children.ts"
import { createRest, examineFiles, openIfThere, type ListedFile, type Walk } from "./walk.ts"

export interface LevelWalkOptions {
  readonly root: string
  /** Empty for the root, or with a slash at its end. */
  readonly folder: string
  readonly after: string
  /** Number of names that are kept at a time. */
  readonly expected: number
  readonly signal: AbortSignal | undefined
}

/** Entries that are yielded together. */
const BATCH = 256
/** Names that are kept in any case: callers read some more entries than they asked for. */
const MIN_KEPT = 1024

/** A file with its facts, or a folder with nothing but its path, which ends with a slash. */
export type LevelEntry = ListedFile | { readonly path: string }

/**
 * Yields the files and folders in one folder in code-point order, in batches. The names of the folder are read again after each `expected`
 * ones, at least 1,024.
 */
export async function* walkLevel(options: LevelWalkOptions): AsyncGenerator<readonly LevelEntry[]> {
  const { root, folder: path, signal } = options
  const kept = Math.max(options.expected, MIN_KEPT)
  signal?.throwIfAborted()
  if (isTemporaryPath(path)) return
  const folder = await openIfThere(root, path.slice(0, -1))
  if (folder === undefined) return
  const walk = { root, signal, rest: createRest() }
  let { after } = options
  try {
    for (;;) {
      let count = 0
      let last = after
      const isWanted = (order: string) => compareCodePoints(path + order, after) > 0 && isFilePath(path + nameOf(order))
      for await (const children of listChildren(root, folder, { isWanted, limit: kept })) {
        for (let start = 0; start < children.length; start += BATCH) {
          yield await examine(walk, folder, path, children.slice(start, start + BATCH))
        }
        count += children.length
        const end = children.at(-1)
        if (end !== undefined) last = path + orderOf(end)
      }
      if (count < kept) return
      after = last
    }
  } finally {
    await folder.close()
  }
}

function nameOf(order: string): string {
  return order.endsWith("/") ? order.slice(0, -1) : order
}

async function examine(walk: Walk, folder: Folder, path: string, children: readonly Child[]): Promise<LevelEntry[]> {
  const files = children.filter(({ isFolder }) => !isFolder)
  const found = new Map((await examineFiles(walk, folder, { path }, files)).map((file) => [file.path, file]))
  return children.flatMap((child) => {
    const entry = path + orderOf(child)
    const file = found.get(entry)
    if (child.isFolder) return [{ path: entry }]
    return file === undefined ? [] : [file]
  })
}

import type { Dir, Dirent } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { compareCodePoints, joinPath } from "../../file-path.ts"
import { isMissing } from "../errors.ts"
import { lookUp, type Folder } from "../folders/folder.ts"
import { metadataCalls } from "../folders/metadata-calls.ts"
import { isTemporaryName } from "../writing/temporary-file.ts"
import { sortInPieces } from "./sort-in-pieces.ts"

/** A file or folder in a folder. */
export interface Child {
  readonly name: string
  readonly isFolder: boolean
  /** The path relative to the root, with links resolved. */
  readonly realPath: string
}

/** Entries that are read from the system at a time, and children that are yielded together. */
const READ_AT_A_TIME = 1024

export interface ChildrenOptions {
  /** Chooses children by their sort keys. */
  readonly isWanted: (order: string) => boolean
  /** Number of children, the first ones in listing order. Default: all. */
  readonly limit?: number
}

/**
 * Yields the files and folders in `folder` that `isWanted`, in listing order, many at a time. Memory holds one text for each name, or for some thousand names
 * if there is a limit. A large folder is read and sorted in pieces, so that other work goes on in between.
 */
export async function* listChildren(
  root: string,
  folder: Folder,
  { isWanted, limit = Infinity }: ChildrenOptions,
): AsyncGenerator<readonly Child[], void> {
  const orders = createFirstNames(limit, isWanted)
  /** The resolved paths of links, by sort key. */
  const linked = new Map<string, string>()
  for await (const entries of readEntries(folder)) {
    for (const entry of entries) {
      if (isTemporaryName(entry.name)) continue
      if (entry.isSymbolicLink()) {
        // Leave out links that lead outside the root. One of them must not make the whole listing fail.
        const child = await findChild(root, folder, entry.name)
        if (typeof child !== "object") continue
        if (orders.add(orderOf(child))) linked.set(orderOf(child), child.realPath)
      } else if (entry.isDirectory()) orders.add(`${entry.name}/`)
      else if (entry.isFile()) orders.add(entry.name)
    }
  }
  const sorted = await orders.sorted()
  for (let start = 0; start < sorted.length; start += READ_AT_A_TIME) {
    yield sorted.slice(start, start + READ_AT_A_TIME).map((order) => {
      const isFolder = order.endsWith("/")
      const name = isFolder ? order.slice(0, -1) : order
      return { name, isFolder, realPath: linked.get(order) ?? joinPath(folder.path, name) }
    })
  }
}

/** Sorted and cut when there are this many times as many names as are wanted. */
const SPARE = 4

/** Collects sort keys that are wanted, and keeps about the first `limit` of them. */
function createFirstNames(limit: number, isWanted: (order: string) => boolean) {
  let names: string[] = []
  let last: string | undefined
  return {
    /** Returns whether the name may be among the first ones. */
    add(order: string): boolean {
      if (!isWanted(order) || (last !== undefined && compareCodePoints(order, last) > 0)) return false
      names.push(order)
      if (names.length >= limit * SPARE) {
        names = names.toSorted(compareCodePoints).slice(0, limit)
        last = names.at(-1)
      }
      return true
    },
    sorted: async (): Promise<readonly string[]> => (await sortInPieces(names, compareCodePoints)).slice(0, limit),
  }
}

/** Yields the entries of a folder in pieces. A folder that was deleted has none. */
async function* readEntries(folder: Folder): AsyncGenerator<readonly Dirent[], void> {
  const opened = openEntries(folder)
  if (opened === undefined) return
  try {
    for (;;) {
      const entries = readPiece(opened)
      yield entries
      if (entries.length < READ_AT_A_TIME) return
      await setImmediate()
    }
  } finally {
    opened.closeSync()
  }
}

function openEntries(folder: Folder): Dir | undefined {
  try {
    return metadataCalls.entries(folder.at("."), READ_AT_A_TIME)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function readPiece(opened: Dir): readonly Dirent[] {
  const entries: Dirent[] = []
  while (entries.length < READ_AT_A_TIME) {
    const entry = opened.readSync()
    if (entry === null) break
    entries.push(entry)
  }
  return entries
}

/** Returns one child by name, with links resolved. */
export async function findChild(root: string, folder: Folder, name: string): Promise<Child | "outside" | undefined> {
  if (isTemporaryName(name)) return undefined
  const entry = await lookUp(root, folder.at(name), joinPath(folder.path, name))
  if (entry.kind === "outside") return "outside"
  if (entry.kind !== "file" && entry.kind !== "folder") return undefined
  return { name, isFolder: entry.kind === "folder", realPath: entry.path }
}

/**
 * Returns the sort key of a child. The paths in a folder continue with a slash, which decides their order: `a-b`,
 * `a.txt`, `a/x`, `a0`.
 */
export function orderOf(child: Pick<Child, "name" | "isFolder">): string {
  return child.isFolder ? `${child.name}/` : child.name
}

import type { BigIntStats } from "node:fs"
import { setImmediate as nextTurn } from "node:timers/promises"
import { isAssayError } from "@assay/schemas"
import { compareCodePoints, joinPath } from "../../file-path.ts"
import { isMissing, outsideRoot } from "../errors.ts"
import type { StoredFile } from "../../storage.ts"
import { lookUp, openFolder, type Folder } from "../folders/folder.ts"
import { metadataCalls } from "../folders/metadata-calls.ts"
import { findChild, listChildren, orderOf, type Child } from "./list-children.ts"
import type { ListedFiles } from "./listed-files.ts"

/**
 * Number of files that are examined before other work of the process runs: the calls are synchronous. With 64, a read beside ten listings a
 * second took 5 ms (median) instead of 2, and with 12 no listing takes longer.
 */
const FILES_OF_A_TURN = 12

/** As many files whose state is compared with that of an earlier listing take as long as one that is examined. */
const KNOWN_AS_ONE = 4

/** Opening and reading a folder takes about as long as examining this number of files. */
const FILES_OF_A_FOLDER = 4

export interface ListedFile {
  /** The listed path. */
  readonly path: string
  /** The path relative to the root, with links resolved. */
  readonly realPath: string
  readonly stats: BigIntStats
  /** The findings of an earlier listing about the same state. */
  readonly known?: StoredFile | undefined
}

export interface WalkOptions {
  readonly root: string
  /** Segments of the only file or folder to walk. Empty for the whole root. */
  readonly only: readonly string[]
  /** Whether `only` must be a folder. */
  readonly folderOnly: boolean
  readonly after: string
  readonly signal: AbortSignal | undefined
  /** The findings of an earlier listing. */
  readonly listed?: ListedFiles<StoredFile> | undefined
}

export interface Walk extends Pick<WalkOptions, "root" | "signal" | "listed"> {
  /** Lets other work run if enough was done since the last time. `files` is the work that follows. */
  readonly rest: (files: number) => Promise<void>
}

interface Position {
  /** The listed path of the folder with a trailing slash. Empty for the root. */
  readonly path: string
  readonly depth: number
  /** The resolved paths of the enclosing folders. A link to one of them would be followed without end. */
  readonly trail: readonly string[]
}

/** Yields every file in code-point order of its path, in batches. Memory holds the names of one folder per level. */
export async function* walk(options: WalkOptions): AsyncGenerator<readonly ListedFile[]> {
  const root = await openIfThere(options.root, "")
  if (root !== undefined) yield* walkFolder({ ...options, rest: createRest() }, root, { path: "", depth: 0, trail: [] })
}

/** Returns what lets other work run in between. */
export function createRest(): Walk["rest"] {
  let done = 0
  return async (files) => {
    if (done >= FILES_OF_A_TURN) {
      done = 0
      await nextTurn()
    }
    done += files
  }
}

async function* walkFolder(
  options: WalkOptions & Walk,
  folder: Folder,
  position: Position,
): AsyncGenerator<readonly ListedFile[]> {
  try {
    if (position.trail.includes(folder.path)) return
    const batch = options.listed === undefined ? FILES_OF_A_TURN : FILES_OF_A_TURN * KNOWN_AS_ONE
    for await (const children of chooseChildren(options, folder, position)) {
      let files: Child[] = []
      for (const child of children) {
        if (!child.isFolder) files.push(child)
        if (files.length === batch || (child.isFolder && files.length > 0)) {
          yield await examineFiles(options, folder, position, files)
          files = []
        }
        if (!child.isFolder) continue
        await options.rest(FILES_OF_A_FOLDER)
        const opened = await openIfThere(options.root, child.realPath)
        if (opened !== undefined) yield* walkFolder(options, opened, below(position, folder, child))
      }
      if (files.length > 0) yield await examineFiles(options, folder, position, files)
    }
  } finally {
    await folder.close()
  }
}

function below(position: Position, folder: Folder, child: Child): Position {
  return {
    path: position.path + orderOf(child),
    depth: position.depth + 1,
    trail: [...position.trail, folder.path],
  }
}

async function* chooseChildren(
  options: WalkOptions,
  folder: Folder,
  position: Position,
): AsyncGenerator<readonly Child[], void> {
  const { root, only, folderOnly, after, signal } = options
  signal?.throwIfAborted()
  const name = only[position.depth]
  if (name !== undefined) {
    const child = await findChild(root, folder, name)
    if (child === "outside") throw outsideRoot(position.path + name)
    const isLast = position.depth === only.length - 1
    if (child === undefined || !(child.isFolder || (isLast && !folderOnly))) return
    if (isAfter(orderOf(child))) yield [child]
    return
  }
  yield* listChildren(root, folder, { isWanted: isAfter })

  function isAfter(order: string): boolean {
    const path = position.path + order
    return compareCodePoints(path, after) > 0 || (order.endsWith("/") && after.startsWith(path))
  }
}

/** Returns the facts of the files among the children of a folder. */
export async function examineFiles(
  walk: Walk,
  folder: Folder,
  { path }: { readonly path: string },
  files: readonly Child[],
): Promise<readonly ListedFile[]> {
  const { root, signal, rest, listed } = walk
  // Files that are reached through links are not remembered.
  const isDirect = path === joinPath(folder.path, "")
  const known = isDirect && listed !== undefined ? findKnown(listed, folder, files) : []
  const unknown = known.length === 0 ? files : files.filter((_, index) => known[index] === undefined)
  await rest(unknown.length + (files.length - unknown.length) / KNOWN_AS_ONE)
  signal?.throwIfAborted()
  if (unknown.length === 0) return known.filter((file) => file !== undefined)
  const found = await Promise.all(
    files.map(async ({ name }, index): Promise<readonly ListedFile[]> => {
      const same = known[index]
      if (same !== undefined) return [same]
      const entry = await lookUp(root, folder.at(name), joinPath(folder.path, name))
      if (entry.kind !== "file") return []
      return [{ path: path + name, realPath: entry.path, stats: entry.stats }]
    }),
  )
  return found.flat()
}

/**
 * Finds files that have the state of an earlier listing. They are looked at by the path of the folder, which takes half as long as through its
 * handle. If a link was put into this path meanwhile, what is there has another state, and nothing of it is used.
 */
function findKnown(
  listed: ListedFiles<StoredFile>,
  folder: Folder,
  files: readonly Child[],
): readonly (ListedFile | undefined)[] {
  try {
    return files.map(({ name, realPath }) => {
      const stats = metadataCalls.find(`${folder.real}/${name}`)
      const known = stats && listed.find(folder.path, name, stats)
      return stats && known && { path: realPath, realPath, stats, known }
    })
  } catch {
    // The path can't be used any more: the handle may still lead to the files.
    return []
  }
}

/** Opens a folder. Returns undefined if it does not exist or leads outside of the root. */
export async function openIfThere(root: string, path: string): Promise<Folder | undefined> {
  return openFolder(root, path).catch((error: unknown) => {
    // The folder was deleted after its name was read, or replaced by a link that leads outside.
    if (isMissing(error) || isAssayError(error, "bad_path")) return undefined
    throw error
  })
}

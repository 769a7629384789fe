import { lstatSync, mkdirSync, realpathSync } from "node:fs"
import { sep } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { createFolderAtOnce, folderOf, nameOf } from "@assay/storage"

/** Finds and creates folders below a root. No path leads out of the root, so a server cannot choose another path to write to. */
export interface ContainedFolders {
  /** Returns the real path of the root. Creates the root if it does not exist. */
  root(): string
  /** Returns the real path of the folder of `path`. Creates missing folders. @throws `path_conflict`, `bad_path` */
  folderFor(path: string): string
  /** Returns whether no link leads to the folder of `path`. */
  isDirect(path: string): boolean
  /** Clears the memory of known folders. Call it after folders were deleted. */
  forget(): void
}

const MAX_KNOWN = 10_000

export function createContainedFolders(root: string): ContainedFolders {
  let realRoot: string | undefined
  // Paths arrive nearly in order, so few folders are in use at a time.
  let known = new Map<string, string>()

  function rootFolder(): string {
    if (realRoot === undefined) {
      createFolderAtOnce(root, { durable: false })
      realRoot = realpathSync(root)
    }
    return realRoot
  }

  function open(folder: string): string {
    if (folder === "") return rootFolder()
    const found = known.get(folder)
    if (found !== undefined) return found
    const real = enter(`${open(folderOf(folder))}${sep}${nameOf(folder)}`, folder)
    if (known.size >= MAX_KNOWN) known = new Map()
    known.set(folder, real)
    return real
  }

  /** Synchronous, so that no other transfer of this process runs between the check and the use. */
  function enter(entered: string, folder: string): string {
    const stats = lstatSync(entered, { throwIfNoEntry: false })
    if (stats === undefined) {
      mkdirSync(entered)
      return entered
    }
    if (stats.isDirectory()) return entered
    if (!stats.isSymbolicLink()) throw conflict(folder, "a file is where a folder is needed")
    const real = realpathSync(entered)
    if (!isBelow(rootFolder(), real)) {
      throw new AssayError(
        "bad_path",
        `'${printable(folder)}' is a link that leads out of the folder: nothing is written through it.`,
      )
    }
    if (!lstatSync(real).isDirectory()) throw conflict(folder, "a link to a file is where a folder is needed")
    return real
  }

  return {
    root: rootFolder,
    folderFor: (path) => open(folderOf(path)),
    isDirect: (path) => {
      const folder = folderOf(path)
      return open(folder) === [rootFolder(), ...(folder === "" ? [] : folder.split("/"))].join(sep)
    },
    forget: () => {
      known = new Map()
    },
  }
}

function isBelow(root: string, real: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
}

function conflict(folder: string, what: string): AssayError {
  return new AssayError("path_conflict", `Can't write below '${printable(folder)}': ${what}.`)
}

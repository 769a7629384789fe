import { lstatSync, mkdirSync, realpathSync } from "node:fs"
import { sep } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "../output/printable.ts"
import { folderOf, nameOf } from "./split-path.ts"

/** Finds and makes folders below a root, and never leaves it: what a server names can't lead elsewhere. */
export interface FolderKeeper {
  /** Where the root really lies, made where it is missing. */
  root(): string
  /** Where the folder of `path` really lies, made with its parents where it is missing. @throws `path_conflict`, `bad_path` */
  folderFor(path: string): string
  /** Whether the folder of `path` is reached without a link. */
  isDirect(path: string): boolean
  /** Forgets what is known, after folders were removed. */
  forget(): void
}

const MAX_KNOWN = 10_000

export function createFolderKeeper(root: string): FolderKeeper {
  let realRoot: string | undefined
  // Paths arrive nearly in order, so few folders are of interest at a time.
  let known = new Map<string, string>()

  function rootFolder(): string {
    if (realRoot === undefined) {
      mkdirSync(root, { recursive: true })
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

  /** Synchronous throughout: between look and use no other transfer of ours comes in between. */
  function enter(place: string, folder: string): string {
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (stats === undefined) {
      mkdirSync(place)
      return place
    }
    if (stats.isDirectory()) return place
    if (!stats.isSymbolicLink()) throw conflict(folder, "a file stands where a folder is needed")
    const real = realpathSync(place)
    if (!isBelow(rootFolder(), real)) {
      throw new AssayError(
        "bad_path",
        `'${printable(folder)}' is a link that leads out of the folder: nothing is written through it.`,
      )
    }
    if (!lstatSync(real).isDirectory()) throw conflict(folder, "a link to a file stands where a folder is needed")
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

import { closeSync, fsync, type BigIntStats } from "node:fs"
import { folderOf } from "../../file-path.ts"
import { isMissing, outsideRoot, systemCode } from "../errors.ts"
import { metadataCalls, realPathOf } from "./metadata-calls.ts"
import { pathWithin, resolveFolder, systemPath } from "./root.ts"

/** An open folder inside the root. A link created later can't redirect accesses through it. */
export interface Folder {
  /** The path relative to the root, with links resolved. Empty for the root itself. */
  readonly path: string
  /** The absolute path, with links resolved. Each folder has exactly one. */
  readonly real: string
  /** Returns the system path of an entry. */
  at(name: string): string
  /** Makes the entries of the folder durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a folder.
 * @throws `bad_path` if a link leads outside the root; the system's error if there is no such folder
 */
export async function openFolder(root: string, path: string): Promise<Folder> {
  const fd = await openDescriptor(root, path)
  let isOpen = true
  const close = async () => {
    // A second close would close another file that got the same descriptor.
    if (isOpen) closeSync(fd)
    isOpen = false
  }
  try {
    const { real, steady } = await realPathOf({ fd }, systemPath(root, path))
    const within = await pathWithin(root, real)
    if (within === undefined) throw outsideRoot(path)
    return {
      path: within,
      real,
      at: (name) => `${steady}/${name}`,
      sync: () =>
        // Not by `promisify`, which costs more than the call.
        new Promise((resolve, reject) => {
          fsync(fd, (error) => (error === null ? resolve() : reject(error)))
        }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openDescriptor(root: string, path: string): Promise<number> {
  try {
    return metadataCalls.folder(systemPath(root, path))
  } catch (error) {
    if (path !== "" && isMissing(error)) await resolveFolder(root, folderOf(path))
    throw error
  }
}

/** The file, folder or link at a path. `path` is relative to the root, with links resolved. */
export type Entry =
  | { readonly kind: "file"; readonly path: string; readonly stats: BigIntStats }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "missing" | "special" | "outside" }

/**
 * Examines one path. A link inside the root is followed.
 * @param systemName the system path
 * @param path the path relative to the root, which is correct unless it is a link
 */
export async function lookUp(root: string, systemName: string, path: string): Promise<Entry> {
  try {
    const stats = metadataCalls.find(systemName)
    if (stats === undefined) return { kind: "missing" }
    if (!stats.isSymbolicLink()) return entryOf(path, stats)
    const target = await pathWithin(root, metadataCalls.realPath(systemName))
    if (target === undefined) return { kind: "outside" }
    return entryOf(target, metadataCalls.at(systemPath(root, target)))
  } catch (error) {
    // A broken or circular link counts as missing.
    if (isMissing(error) || systemCode(error) === "ELOOP") return { kind: "missing" }
    throw error
  }
}

function entryOf(path: string, stats: BigIntStats): Entry {
  if (stats.isFile()) return { kind: "file", path, stats }
  return stats.isDirectory() ? { kind: "folder", path } : { kind: "special" }
}

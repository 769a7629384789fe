import { rmdirSync, rmSync, statSync, unlinkSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { localFailure, nameOf, parseNewFilePath, systemCode } from "@assay/storage"
import type { TransferCache } from "../sides/transfer-cache.ts"
import type { SkippedEntry, TransferSide } from "../sides/transfer-side.ts"
import { createContainedFolders } from "./contained-folders.ts"
import { createFolderFile } from "./folder-file.ts"
import { walkFolder } from "./walk-folder.ts"
import { writeLocalFile } from "./write-local-file.ts"

export interface FolderSideOptions {
  /** Absolute path. */
  readonly root: string
  /** The folder as the user wrote it. */
  readonly name: string
  readonly cache: TransferCache
  /** Called for every entry of the folder that cannot be moved. */
  readonly onSkip: (skipped: SkippedEntry) => void
}

/** Returns a folder of this machine as a side. If it is the target, it is created with the first file. */
export function createFolderSide({ root, name, cache, onSkip }: FolderSideOptions): TransferSide {
  const folders = createContainedFolders(root)
  const partials: string[] = []

  return {
    name,
    locationOf: (path) => `${name.replace(/[\\/]+$/, "")}/${path}`,
    list: async function* (signal) {
      const options = { signal, onSkip, onPartial: (systemPath: string) => partials.push(systemPath) }
      for await (const file of walkFolder(root, options)) yield createFolderFile(file, cache)
    },
    find: async (path) => {
      const systemPath = join(root, path)
      try {
        return createFolderFile({ path, systemPath, stats: statSync(systemPath, { bigint: true }) }, cache)
      } catch (error) {
        throw localFailure(error, "read", systemPath)
      }
    },
    write: async (file, onBytes, signal) => {
      try {
        parseNewFilePath(file.path)
        await writeLocalFile(file, folders.folderFor(file.path), onBytes, signal)
      } catch (error) {
        throw localFailure(error, "write", join(root, file.path))
      }
    },
    tryWrite: async ({ path }) => void parseNewFilePath(path),
    remove: async (path) => {
      // The target of a link is another file of the same folder, which stays.
      if (!folders.isDirect(path)) return false
      try {
        removeFile(folders.root(), folders.folderFor(path), path)
        folders.forget()
        return true
      } catch (error) {
        if (systemCode(error) === "ENOENT") return false
        throw localFailure(error, "delete", join(root, path))
      }
    },
    check: async () => undefined,
    close: async (complete) => {
      if (complete) for (const systemPath of partials) rmSync(systemPath, { force: true })
    },
  }
}

/** Deletes a file of `folder`, and then the folders up to `root` that are empty. */
function removeFile(root: string, folder: string, path: string): void {
  unlinkSync(`${folder}${sep}${nameOf(path)}`)
  try {
    for (let empty = folder; empty !== root; empty = dirname(empty)) rmdirSync(empty)
  } catch (error) {
    // A folder that is not empty stays.
    if (systemCode(error) === undefined) throw error
  }
}

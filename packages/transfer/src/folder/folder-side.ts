import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { parseNewFilePath } from "@assay/storage/paths"
import { createFolderFile } from "./folder-file.ts"
import { createFolderKeeper } from "./folder-keeper.ts"
import { localFailure, systemCode } from "./local-failure.ts"
import { removeLocalFile } from "./remove-local-file.ts"
import type { SkippedEntry } from "./skipped-entry.ts"
import type { TransferCache } from "./transfer-cache.ts"
import type { TransferSide } from "./transfer-side.ts"
import { walkFolder } from "./walk-folder.ts"
import { writeLocalFile } from "./write-local-file.ts"

export interface FolderSideOptions {
  /** Absolute. */
  readonly root: string
  readonly name: string
  readonly cache: TransferCache
  /** Called for everything in the folder that can't travel. */
  readonly onSkip: (skipped: SkippedEntry) => void
}

/** A folder of this machine. As a target it is made when the first file comes. */
export function createFolderSide({ root, name, cache, onSkip }: FolderSideOptions): TransferSide {
  const keeper = createFolderKeeper(root)
  const partials: string[] = []

  return {
    name,
    placeOf: (path) => `${name.replace(/[\\/]+$/, "")}/${path}`,
    list: async function* (signal) {
      const options = { signal, onSkip, onPartial: (place: string) => partials.push(place) }
      for await (const file of walkFolder(root, options)) yield createFolderFile(file, cache)
    },
    find: async (path) => {
      const place = join(root, path)
      try {
        return createFolderFile({ path, place, stats: statSync(place, { bigint: true }) }, cache)
      } catch (error) {
        throw localFailure(error, "read", place)
      }
    },
    write: async (file, onBytes, signal) => {
      try {
        parseNewFilePath(file.path)
        await writeLocalFile(file, keeper.folderFor(file.path), onBytes, signal)
      } catch (error) {
        throw localFailure(error, "write", join(root, file.path))
      }
    },
    tryWrite: async ({ path }) => void parseNewFilePath(path),
    remove: async (path) => {
      // What stands behind a link is another file of the same folder, and wanted there.
      if (!keeper.isDirect(path)) return false
      try {
        removeLocalFile(keeper.root(), keeper.folderFor(path), path)
        keeper.forget()
        return true
      } catch (error) {
        if (systemCode(error) === "ENOENT") return false
        throw localFailure(error, "delete", join(root, path))
      }
    },
    check: async () => undefined,
    close: async (complete) => {
      if (complete) for (const place of partials) rmSync(place, { force: true })
    },
  }
}

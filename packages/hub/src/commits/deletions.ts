import { AssayError } from "@assay/schemas"
import { type FilePath, quotePath } from "@assay/storage"
import { findFolder, type FolderRange, type Revision, runsOf } from "@assay/filesets"

/** The files of a revision that a commit deletes. */
export interface Deletions {
  /** Yields every file once, even if several deleted folders contain it. Reads the files of folders in runs. */
  paths(): AsyncIterable<FilePath>
  /** Returns whether a path is a deleted file, or below a deleted folder. */
  has(path: FilePath): boolean
}

/**
 * Finds the files and folders that a commit deletes.
 * @param deletes files, and folders with a slash at the end, each with whether it must exist
 * @throws `not_found` if one that must exist does not
 */
export async function planDeletions(tree: Revision, deletes: ReadonlyMap<string, boolean>): Promise<Deletions> {
  const files = new Set<FilePath>()
  const folders = new Map<string, FolderRange>()
  for (const [path, mustExist] of deletes) {
    if (!path.endsWith("/")) {
      const file = await tree.get(path)
      if (file !== undefined) files.add(file.path)
      else if (mustExist) throw doesNotExist(tree, "file", path)
      continue
    }
    const folder = path === "/" ? undefined : await findFolder(tree.files, path.slice(0, -1))
    if (folder !== undefined) folders.set(path, folder)
    else if (mustExist) throw doesNotExist(tree, "folder", path)
  }
  const ranges = [...folders.values()].toSorted((a, b) => a.from - b.from)
  const isInFolder = (path: string) => foldersOf(path).some((folder) => folders.has(folder))
  return {
    async *paths() {
      for (const path of files) if (!isInFolder(path)) yield path
      let reached = 0
      for (const { from, to } of ranges) {
        for await (const run of runsOf(tree.files, { from: Math.max(from, reached), to })) {
          for (const { path } of run) yield path
        }
        reached = Math.max(reached, to)
      }
    },
    has: (path) => files.has(path) || isInFolder(path),
  }
}

/** Returns the folders above a path, each with a slash at the end. */
function foldersOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1)
  return names.map((_, depth) => `${names.slice(0, depth + 1).join("/")}/`)
}

function doesNotExist(tree: Revision, what: "file" | "folder", path: string): AssayError {
  // Clients search for these words to distinguish a missing file or folder from other errors.
  const message = `A ${what} with this name doesn't exist: ${quotePath(path)}.`
  return new AssayError("not_found", message, { context: { path, commit: tree.commit } })
}

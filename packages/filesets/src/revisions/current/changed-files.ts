import { isAssayError } from "@assay/schemas"
import { compareCodePoints, folderOf, type FilePath, type Storage } from "@assay/storage"
import { firstFrom } from "../file-order.ts"
import { revisionFileOf } from "../revisions.ts"
import type { RevisionFile } from "../revision-file.ts"

/**
 * Returns the files of a listing after changes of some paths, which are looked at again. Undefined if a change can have another effect on
 * the list: all files must be listed.
 */
export async function changedFiles(
  storage: Storage,
  files: readonly RevisionFile[],
  paths: readonly FilePath[],
): Promise<readonly RevisionFile[] | undefined> {
  const removed = new Set<number>()
  const replaced = new Map<number, RevisionFile>()
  const added = new Map<number, RevisionFile[]>()
  // In the order of the list, in which files that follow one another are added, too.
  for (const path of paths.toSorted(compareCodePoints)) {
    const index = firstFrom(files, path)
    const isListed = files[index]?.path === path
    const file = await statIfThere(storage, path)
    if (file !== undefined && isListed) replaced.set(index, file)
    else if (isListed) removed.add(index)
    else if (file !== undefined && (await isNamed(storage, files, { path, index }))) {
      added.set(index, [...(added.get(index) ?? []), file])
    } else return undefined
  }
  const changed: RevisionFile[] = []
  for (const [index, file] of files.entries()) {
    changed.push(...(added.get(index) ?? []))
    if (!removed.has(index)) changed.push(replaced.get(index) ?? file)
  }
  return [...changed, ...(added.get(files.length) ?? [])]
}

async function statIfThere(storage: Storage, path: FilePath): Promise<RevisionFile | undefined> {
  try {
    return revisionFileOf(await storage.stat(path))
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}

/**
 * Returns whether a file that was not listed would be listed by this very path, in a folder of which files were listed. On a file system that
 * ignores case, a path can lead to a file of another name.
 */
async function isNamed(
  storage: Storage,
  files: readonly RevisionFile[],
  { path, index }: { readonly path: FilePath; readonly index: number },
): Promise<boolean> {
  const parent = folderOf(path)
  const folder = parent === "" ? "" : `${parent}/`
  const isKnown = files[firstFrom(files, folder)]?.path.startsWith(folder) === true
  if (!isKnown || storage.level === undefined) return false
  const before = files[index - 1]?.path ?? ""
  const after = before.startsWith(folder) ? before : undefined
  for await (const entry of storage.level({ folder, after, expected: 1 })) {
    if (entry.path === path) return true
    if (compareCodePoints(entry.path, path) > 0) return false
  }
  return false
}

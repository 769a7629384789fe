import { unlink } from "node:fs/promises"
import { folderOf, joinPath, nameOf, type FilePath } from "../file-path.ts"
import type { LocalContext } from "./context.ts"
import { isMissing, onDisk, outsideRoot } from "./errors.ts"
import { removeEmptyFolders } from "./folders/create-and-remove.ts"
import { lookUp, openFolder, type Folder } from "./folders/folder.ts"
import { isTemporaryPath } from "./writing/temporary-file.ts"

/** Removes a file or a link, but never the target of a link. Then removes the folders that became empty. */
export async function deleteFile(local: LocalContext, path: FilePath, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  if (isTemporaryPath(path)) return
  await onDisk("delete", path, async () => {
    const folder = await openFolder(local.root, folderOf(path)).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (folder === undefined) return
    try {
      const key = joinPath(folder.real, nameOf(path))
      const remove = () => removeEntry(local, folder, path)
      await local.locks.exclusive(key, () =>
        local.isShared ? local.systemLocks.exclusive(key, { isRequired: false, signal }, remove) : remove(),
      )
    } finally {
      await folder.close()
    }
    await removeEmptyFolders(local.root, folder.path)
  })
}

async function removeEntry(local: LocalContext, folder: Folder, path: FilePath): Promise<void> {
  const name = nameOf(path)
  const realPath = joinPath(folder.path, name)
  const entry = await lookUp(local.root, folder.at(name), realPath)
  if (entry.kind === "outside") throw outsideRoot(path)
  if (entry.kind !== "file") return
  await unlink(folder.at(name)).catch((error: unknown) => {
    // Another process deleted it first.
    if (!isMissing(error)) throw error
  })
  if (local.durable) await local.locks.coalesce(folder.real, () => folder.sync())
  await local.digests.forget(realPath)
}

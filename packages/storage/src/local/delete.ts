import { closeSync, constants, openSync, renameSync } from "node:fs"
import { folderOf, joinPath, nameOf, type FilePath } from "../file-path.ts"
import type { DeleteOptions } from "../storage.ts"
import type { LocalContext } from "./context.ts"
import { isMissing, onDisk, outsideRoot } from "./errors.ts"
import { removeEmptyFolders } from "./folders/create-and-remove.ts"
import { fileVersion } from "./file-version.ts"
import { lookUp, openFolder, type Entry, type Folder } from "./folders/folder.ts"
import { metadataCalls } from "./folders/metadata-calls.ts"
import { moveVersion, recordVersion, settleVersion, type Keeping } from "./history/keep-version.ts"
import { removeHidden } from "./writing/remove-hidden.ts"
import { isTemporaryPath, TEMPORARY_PREFIX } from "./writing/temporary-file.ts"

type FileEntry = Extract<Entry, { kind: "file" }>

/** Removes a file or a link, but never the target of a link. Then removes the folders that became empty. */
export async function deleteFile(local: LocalContext, path: FilePath, options: DeleteOptions): Promise<void> {
  const { signal, change } = options
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
      const remove = () => removeEntry(local, folder, path, change)
      await local.locks.exclusive(key, () =>
        local.isShared ? local.systemLocks.exclusive(key, { isRequired: false, signal }, remove) : remove(),
      )
    } finally {
      await folder.close()
    }
    await removeEmptyFolders(local.root, folder.path)
  })
}

async function removeEntry(
  local: LocalContext,
  folder: Folder,
  path: FilePath,
  change: DeleteOptions["change"],
): Promise<void> {
  const name = nameOf(path)
  const realPath = joinPath(folder.path, name)
  const entry = await lookUp(local.root, folder.at(name), realPath)
  if (entry.kind === "outside") throw outsideRoot(path)
  if (entry.kind !== "file") return
  const { stats } = entry
  const isLink = entry.path !== realPath
  const keeping = isLink ? undefined : await recordVersion(local, { path, realPath, stats, isDeleted: true, change })
  const carryOn = carryChecks(local, entry, folder.at(name))
  let hidden: HiddenName | undefined
  try {
    // Under another name first, so that the file can come back if the disk fails.
    hidden = await hide(local, folder, name, keeping)
    if (local.durable) {
      await Promise.all([
        local.locks.coalesce(folder.real, () => folder.sync()),
        hidden?.isKept === true ? settleVersion(local) : undefined,
      ])
    }
  } catch (error) {
    if (hidden !== undefined) renameSync(hidden.location, folder.at(name))
    // Also if its bytes were not kept: the record says that the file was deleted.
    await keeping?.cancel("not changed")
    carryOn()
    throw error
  }
  const removed = hidden?.isKept === false ? removeHidden(hidden.location) : undefined
  await Promise.all([removed, forgetDigest(local, entry, realPath)])
  carryOn()
}

/** The other name of a file that is deleted. */
interface HiddenName {
  readonly location: string
  /** Whether it stays, in the history. */
  readonly isKept: boolean
}

/** Lets a file that stays under another name count as verified still, if it does: a name less changes its change time. Returns the end. */
function carryChecks({ checks }: LocalContext, { stats }: FileEntry, at: string): () => void {
  if (checks === undefined || stats.nlink < 2n) return () => {}
  const fd = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW)
  return () => {
    checks.carry(stats, metadataCalls.atHandle({ fd }))
    closeSync(fd)
  }
}

/** Gives a file another name. Returns undefined if another process deleted the file first. */
async function hide(
  local: LocalContext,
  folder: Folder,
  name: string,
  keeping: Keeping | undefined,
): Promise<HiddenName | undefined> {
  try {
    if (keeping !== undefined && (await moveVersion(local, folder, name, keeping))) {
      return { location: keeping.location, isKept: true }
    }
    const location = folder.at(`${TEMPORARY_PREFIX}${local.newId()}`)
    renameSync(folder.at(name), location)
    return { location, isKept: false }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Removes a digest. This need not be on the disk: no other version of the file has this digest. */
async function forgetDigest({ digests, held }: LocalContext, entry: FileEntry, realPath: string): Promise<void> {
  // A link has no digest of its own.
  if (entry.path !== realPath || held.has(realPath)) return
  await digests.forgetLater(realPath, { keep: undefined, gone: fileVersion(realPath, entry.stats) })
}

import { linkSync, renameSync, type BigIntStats } from "node:fs"
import { createFolder, syncFolder } from "../../create-folder.ts"
import { HISTORY_FOLDER, type FileChange, type KeptVersion } from "../../file-history.ts"
import type { FilePath } from "../../file-path.ts"
import type { LocalContext } from "../context.ts"
import { NO_LINKS, systemCode } from "../errors.ts"
import { fileVersion, storedFile } from "../file-version.ts"
import type { Folder } from "../folders/folder.ts"
import { metadataCalls } from "../folders/metadata-calls.ts"
import { systemPath } from "../folders/root.ts"

/** A version that is about to be replaced or deleted. */
export interface EndingVersion {
  readonly path: FilePath
  /** The path relative to the root, with links resolved. */
  readonly realPath: string
  readonly stats: BigIntStats
  readonly isDeleted: boolean
  /** The digest of the bytes that replace it. */
  readonly sha256?: string | undefined
  readonly change: FileChange | undefined
}

/** A version that is on record, and the system path of its bytes. */
export interface Keeping extends KeptVersion {
  readonly location: string
}

/** Records a version. Returns undefined if its bytes are not kept, also if the same bytes replace it. */
export async function recordVersion(local: LocalContext, ending: EndingVersion): Promise<Keeping | undefined> {
  const { history, checks, digests } = local
  if (history === undefined) return undefined
  const { path, realPath, stats, isDeleted, change } = ending
  const isDamaged = checks?.isDamaged(stats) === true
  const sha256 = isDamaged ? undefined : await digests.get(fileVersion(realPath, stats))
  if (sha256 !== undefined && sha256 === ending.sha256) return undefined
  const kept = await history.keep({ file: storedFile(path, stats, sha256), isDeleted, change })
  if (kept === undefined) return undefined
  return { ...kept, location: systemPath(systemPath(local.root, HISTORY_FOLDER), kept.id) }
}

/** Codes of the system that say that there is no room for another name, or that it can't lead to the same bytes. */
const NO_ROOM: ReadonlySet<string | undefined> = new Set([...NO_LINKS, "ENOSPC", "EDQUOT", "EXDEV", "ENOTDIR"])

/** Gives the file `name` a second name in the history. Returns false, and cancels the record, if the file system can't. */
export async function linkVersion(local: LocalContext, folder: Folder, name: string, kept: Keeping): Promise<boolean> {
  return inHistory(local, kept, () => linkSync(folder.at(name), kept.location))
}

/** Moves the file `name` to the history. Returns false, and cancels the record, if the file system can't. */
export async function moveVersion(local: LocalContext, folder: Folder, name: string, kept: Keeping): Promise<boolean> {
  return inHistory(local, kept, () => renameSync(folder.at(name), kept.location))
}

async function inHistory({ root, durable }: LocalContext, kept: Keeping, work: () => void): Promise<boolean> {
  const folder = systemPath(root, HISTORY_FOLDER)
  try {
    const found = metadataCalls.find(folder)
    if (found === undefined) await createFolder(folder, { durable })
    // A link could lead out of the root.
    const isFolder = found === undefined || found.isDirectory()
    if (isFolder) work()
    else await kept.cancel("not kept")
    return isFolder
  } catch (error) {
    const hasNoRoom = NO_ROOM.has(systemCode(error))
    await kept.cancel(hasNoRoom ? "not kept" : "not changed")
    if (hasNoRoom) return false
    throw error
  }
}

/** Waits until the second name of a version and its record are on the disk. */
export async function settleVersion(local: LocalContext): Promise<void> {
  const folder = systemPath(local.root, HISTORY_FOLDER)
  await Promise.all([local.locks.coalesce(folder, () => syncFolder(folder)), local.history?.settle()])
}

import { linkSync, renameSync, unlinkSync } from "node:fs"
import { rmdir, unlink } from "node:fs/promises"
import { folderOf, joinPath, nameOf, type FilePath } from "../file-path.ts"
import type { FileVersion } from "../digest-index.ts"
import { type FileChange, HISTORY_FOLDER } from "../file-history.ts"
import type { KeptFile } from "../storage.ts"
import type { LocalContext } from "./context.ts"
import { isMissing, localError, NO_LINKS, onDisk, systemCode } from "./errors.ts"
import { fileVersion } from "./file-version.ts"
import { makeFolder, removeEmptyFolders } from "./folders/create-and-remove.ts"
import { lookUp, openFolder, type Entry, type Folder } from "./folders/folder.ts"
import { systemPath } from "./folders/root.ts"
import { TEMPORARY_PREFIX } from "./writing/temporary-file.ts"

/** The versions whose digests stay in the index while their files are kept, by path within the root. */
export type HeldVersions = Map<string, number>

interface Former {
  /** The system path of a second name of the file. */
  readonly location: string
  readonly version: FileVersion
}

/** A location in the root, with links resolved. */
interface KeptName {
  readonly folder: Folder
  readonly name: string
  readonly real: string
  readonly path: FilePath
}

/**
 * Keeps the file at a path under a second, hidden name in the root, where it prevents no folder from being removed. Its digest stays in the
 * index, so that a full disk can't prevent the way back. A crash can leave that name; the sweep at the next start removes it.
 */
export async function keepFile(
  local: LocalContext,
  path: FilePath,
  change?: FileChange,
): Promise<KeptFile | undefined> {
  const { root, held, digests } = local
  const real = joinPath(await realFolder(root, path), nameOf(path))
  const former = await onDisk("write", path, async () => linkFormer(local, real))
  if (former === "no links") return undefined
  held.set(real, (held.get(real) ?? 0) + 1)
  let written: FileVersion | undefined
  let isRestored = false

  return {
    async note(sha256) {
      const version = await versionAt(root, real)
      if (version !== undefined && (await digests.get(version)) === sha256) written = version
    },
    restore: () =>
      onDisk("write", path, async () => {
        if (written === undefined && former === undefined) return
        isRestored = await restore(local, path, { former, written })
        if (isRestored && former === undefined) local.history?.undoNew(change)
      }),
    async drop() {
      const others = (held.get(real) ?? 1) - 1
      if (others > 0) held.set(real, others)
      else held.delete(real)
      if (former !== undefined) await unlink(former.location).catch(() => {})
      const gone = isRestored ? written : former?.version
      const keep = await versionAt(root, real).catch(() => undefined)
      if (gone !== undefined && !(keep !== undefined && isSame(keep, gone)))
        await digests.forgetLater(real, { keep, gone })
    },
  }
}

/** Returns the folder of a path with links resolved, or as it is if it is missing. */
async function realFolder(root: string, path: FilePath): Promise<string> {
  try {
    const folder = await openFolder(root, folderOf(path))
    await folder.close()
    return folder.path
  } catch (error) {
    if (isMissing(error)) return folderOf(path)
    throw localError(error, "write", path)
  }
}

async function linkFormer({ root, newId }: LocalContext, real: string): Promise<Former | "no links" | undefined> {
  const version = await versionAt(root, real)
  if (version === undefined) return undefined
  const location = systemPath(root, `${TEMPORARY_PREFIX}${newId()}`)
  try {
    linkSync(systemPath(root, real), location)
    return { location, version }
  } catch (error) {
    if (NO_LINKS.has(systemCode(error)) || systemCode(error) === "EXDEV") return "no links"
    throw error
  }
}

/** Returns the version of the file at a location, or undefined if there is none. */
async function versionAt(root: string, real: string): Promise<FileVersion | undefined> {
  const entry = await lookUp(root, systemPath(root, real), real)
  return entry.kind === "file" ? fileVersion(real, entry.stats) : undefined
}

function isSame(a: FileVersion, b: FileVersion): boolean {
  return a.mtimeNs === b.mtimeNs && a.size === b.size
}

interface Exchange {
  readonly former: Former | undefined
  readonly written: FileVersion | undefined
}

async function restore(local: LocalContext, path: FilePath, exchange: Exchange): Promise<boolean> {
  const folder = await makeFolder(local, folderOf(path))
  const location = { folder, name: nameOf(path), real: joinPath(folder.path, nameOf(path)), path }
  try {
    const key = joinPath(folder.real, location.name)
    const work = () => takeBack(local, location, exchange)
    return await local.locks.exclusive(key, () =>
      local.isShared ? local.systemLocks.exclusive(key, { isRequired: false, signal: undefined }, work) : work(),
    )
  } finally {
    await folder.close()
    if (exchange.former === undefined) await removeEmptyFolders(local.root, folder.path)
  }
}

/** Undoes a write. Returns false if another write came after it: that one was answered, so it stays. The caller holds the lock on the name. */
async function takeBack(
  local: LocalContext,
  { folder, name, real, path }: KeptName,
  { former, written }: Exchange,
): Promise<boolean> {
  const entry = await lookUpWithoutFolder(local, folder.at(name), real)
  const present = entry.kind === "file" ? fileVersion(real, entry.stats) : undefined
  const isOurs = written === undefined ? entry.kind === "missing" : present !== undefined && isSame(present, written)
  if (!isOurs) return false
  const digest = former && (await local.digests.get(former.version))
  if (former === undefined) unlinkSync(folder.at(name))
  else renameSync(former.location, folder.at(name))
  if (local.durable) await folder.sync()
  if (digest !== undefined) await forgetKept(local, path, digest)
  return true
}

/** Looks up a name. If it has become a folder without files, which a failed write can leave, removes that folder first. */
async function lookUpWithoutFolder({ root }: LocalContext, at: string, real: string): Promise<Entry> {
  const entry = await lookUp(root, at, real)
  if (entry.kind !== "folder") return entry
  await rmdir(at).catch(() => {})
  return lookUp(root, at, real)
}

/** Forgets that a version was kept, because it is the file again. The bytes that this leaves expire. */
async function forgetKept({ root, history }: LocalContext, path: FilePath, sha256: string): Promise<void> {
  const ids = (await history?.undo(path, `"${sha256}"`).catch(() => undefined)) ?? []
  for (const id of ids) await unlink(systemPath(systemPath(root, HISTORY_FOLDER), id)).catch(() => {})
}

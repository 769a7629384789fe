import { realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { AssayError, type LocalStorageConfiguration, messageOf } from "@assay/schemas"
import type { Queries } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import { storageOf } from "../storages/storage-configuration.ts"
import { FILESET_COLUMNS } from "./fileset-row.ts"

/** A folder below which users may name local folders. */
export interface LocalRoot {
  readonly path: string
  /** The workspaces that may use it. Default: all. */
  readonly workspaces?: readonly string[] | undefined
}

export interface LocalRoots {
  readonly allowed: readonly LocalRoot[]
  /** The server's own folders. Users may not reach them. */
  readonly reserved: readonly string[]
}

/**
 * Checks that a workspace may use a local folder. Returns the configuration with the real path of the folder, so that a
 * symbolic link that is changed later has no effect.
 * @throws `storage_not_allowed`
 */
export async function checkLocalPath(
  storage: LocalStorageConfiguration,
  workspace: string,
  { allowed, reserved }: LocalRoots,
): Promise<LocalStorageConfiguration> {
  const refuse = (reason: string) => localPathRefused(storage.path, reason)
  const own = allowed.filter((root) => isFor(root, workspace))
  if (own.length === 0) throw refuse("this server allows no local folders for this workspace; omit `storage`")
  if (!isAbsolute(storage.path)) throw refuse("the path must be absolute")
  const outside = () =>
    refuse(`it must be below one of ${own.map((root) => root.path).join(", ")}, and in no root of other workspaces`)
  const path = await realPath(storage.path).catch((error: unknown) => {
    // For a path outside the roots, the reason could reveal which files exist.
    if (!own.some((root) => isWithin(root.path, resolve(storage.path)))) throw outside()
    throw refuse(`it can't be looked up (${messageOf(error)})`)
  })
  const roots = await Promise.all(allowed.map(async (root) => ({ ...root, path: await realPath(root.path) })))
  if (!isAllowed(roots, path, workspace)) throw outside()
  for (const folder of await Promise.all(reserved.map(realPath))) {
    if (isOverlapping(folder, path))
      throw refuse("the server's own files are there, such as those of the default storage")
  }
  return { ...storage, path }
}

function localPathRefused(path: string, reason: string): AssayError {
  const message = `Local storage is not allowed at '${path}': ${reason}.`
  return new AssayError("storage_not_allowed", message, { context: { path } })
}

/** Returns whether the innermost root that contains the path allows it. The path may not contain a root of other workspaces. */
function isAllowed(roots: readonly LocalRoot[], path: string, workspace: string): boolean {
  const around = roots.filter((root) => isWithin(root.path, path))
  const innermost = Math.max(...around.map((root) => root.path.length))
  const deciding = around.filter((root) => root.path.length === innermost)
  const isOfOthers = (root: LocalRoot) =>
    root.path !== path &&
    isWithin(path, root.path) &&
    !roots.some((same) => same.path === root.path && isFor(same, workspace))
  return deciding.some((root) => isFor(root, workspace)) && !roots.some(isOfOthers)
}

function isFor({ workspaces }: LocalRoot, workspace: string): boolean {
  return workspaces === undefined || workspaces.includes(workspace)
}

/** Resolves the symbolic links in a path. If it does not exist, resolves those of its nearest existing parent folder. */
async function realPath(path: string): Promise<string> {
  const whole = resolve(path)
  try {
    return await realpath(whole)
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT"
    if (!isMissing || dirname(whole) === whole) throw error
    return join(await realPath(dirname(whole)), basename(whole))
  }
}

/** Returns whether two folders are the same or one contains the other. Neither path has symbolic links. */
function isOverlapping(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a)
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

interface FilesetFolderAddress {
  readonly workspace: string
  /** Absolute and without symbolic links. */
  readonly path: string
}

/** Folders whose symbolic links are resolved at a time. */
const BATCH = 64

/**
 * Checks that a folder is neither inside the folder of a fileset of another workspace nor contains one. Filesets of one
 * workspace may share folders. Symbolic links that were added to the folders of other filesets later are followed.
 * @throws `storage_not_allowed`
 */
export async function checkFolderFree(context: FilesetsContext, address: FilesetFolderAddress): Promise<void> {
  const others = await context.database.read((queries) => foldersOfOthers(context, queries, address.workspace))
  for (let at = 0; at < others.length; at += BATCH) {
    const batch = others.slice(at, at + BATCH)
    // A path that can't be resolved is compared as it was recorded.
    const resolved = await Promise.all(batch.map((path) => realPath(path).catch(() => path)))
    refuseOverlap([...batch, ...resolved], address)
  }
}

/**
 * Repeats the check with the recorded paths in the transaction that makes a fileset, so that it finds filesets that were
 * made in the meantime. Other transactions that make filesets with local folders wait.
 */
export async function checkFolderStillFree(
  context: FilesetsContext,
  queries: Queries,
  address: FilesetFolderAddress,
): Promise<void> {
  const { dialect } = context.database
  // Lock a row that always exists. Every transaction that makes a fileset with a local folder locks it.
  await queries
    .selectFrom("workspaces")
    .select("id")
    .where("name", "=", "system")
    .modifyEnd(dialect.forUpdate)
    .execute()
  refuseOverlap(await foldersOfOthers(context, queries, address.workspace), address)
}

/** Returns the local folders of other workspaces' filesets, except those on the default storage. */
async function foldersOfOthers(
  { defaultStorage }: FilesetsContext,
  queries: Queries,
  workspace: string,
): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom("filesets")
    .select(FILESET_COLUMNS)
    .where("storage_type", "=", "local")
    .where("workspace", "!=", workspace)
    .$if(defaultStorage.type === "local", (query) => query.where("owns_bytes", "=", 0))
    .execute()
  return rows.flatMap((row) => {
    const storage = storageOf(row, defaultStorage)
    return storage.type === "local" ? [storage.path] : []
  })
}

function refuseOverlap(folders: readonly string[], { path }: FilesetFolderAddress): void {
  if (!folders.some((folder) => isOverlapping(folder, path))) return
  throw localPathRefused(path, "a fileset of another workspace has files there; choose another folder")
}

import type { Queries } from "../database/database.ts"
import type { RegistryContext } from "../registry-context.ts"
import { FILESET_COLUMNS } from "./fileset-row.ts"
import { isOverlapping, localPathRefused, realPath } from "./local-roots.ts"
import { storageOf } from "../storages/storage-configuration.ts"

export interface FilesetFolderAddress {
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
export async function checkFolderFree(context: RegistryContext, address: FilesetFolderAddress): Promise<void> {
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
  context: RegistryContext,
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
  { defaultStorage }: RegistryContext,
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

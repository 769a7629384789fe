import type { Queries } from "../database/database.ts"
import type { RegistryContext } from "../registry-context.ts"
import { FILESET_COLUMNS } from "./fileset-row.ts"
import { isOverlapping, localPathRefused, realPath } from "./local-roots.ts"
import { storageOf } from "../storages/storage-configuration.ts"

export interface FilesetFolderAddress {
  readonly workspace: string
  /** Absolute and without links. */
  readonly path: string
}

/** Folders whose links are resolved at a time. */
const BATCH = 64

/**
 * Checks that a folder neither lies in the folder of a fileset of another workspace nor holds one. Filesets of one
 * workspace may share folders. Links that were put into the folders of others since they were made are followed.
 * @throws `storage_not_allowed`
 */
export async function checkFolderFree(context: RegistryContext, address: FilesetFolderAddress): Promise<void> {
  const others = await context.database.read((queries) => foldersOfOthers(context, queries, address.workspace))
  for (let at = 0; at < others.length; at += BATCH) {
    const batch = others.slice(at, at + BATCH)
    // One that can't be looked up is compared as it was recorded.
    const resolved = await Promise.all(batch.map((path) => realPath(path).catch(() => path)))
    refuseOverlap([...batch, ...resolved], address)
  }
}

/**
 * The same in the transaction that makes a fileset, by the paths that were recorded: a fileset that was made meanwhile is
 * found. Others who make one wait.
 */
export async function checkFolderStillFree(
  context: RegistryContext,
  queries: Queries,
  address: FilesetFolderAddress,
): Promise<void> {
  const { dialect } = context.database
  // A row that is always there: whoever makes a fileset with a folder of its own takes its lock.
  await queries
    .selectFrom("workspaces")
    .select("id")
    .where("name", "=", "system")
    .modifyEnd(dialect.forUpdate)
    .execute()
  refuseOverlap(await foldersOfOthers(context, queries, address.workspace), address)
}

/** Folders of filesets that are not in the default storage. */
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

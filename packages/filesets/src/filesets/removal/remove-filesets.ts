import type { SelectQueryBuilder } from "kysely"
import type { Queries, Tables } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"
import { STORAGE_CAPABILITIES } from "@assay/storage"
import { isKeptOf } from "../../storages/kept-id.ts"
import { openAt } from "../../storages/open-storage.ts"
import { defaultStorageOf, folderOf, storageOf, wholeOf } from "../../storages/storage-configuration.ts"
import { FILESET_COLUMNS, type FilesetRow } from "../fileset-row.ts"
import { isInTrash, keepInTrash, planKeeping, readForTrash, type Keeping } from "./trash-entries.ts"
import type { FilesetFolder } from "./removed-folders.ts"

export type FilesetSelect = SelectQueryBuilder<Tables, "filesets", FilesetRow>

export interface RemoveOptions<T> {
  /** Runs at the end of the same transaction, also if no fileset was selected. */
  readonly after?: (queries: Queries, removed: Pick<Removed<T>, "rows" | "keeping">) => Promise<T>
  /** The caller who removes them, so that they can be restored for some time. Undefined: they are deleted at once. */
  readonly by?: string | undefined
  /** The id of the job that is removed with the fileset of its results. */
  readonly job?: string
}

export interface Removed<T> {
  readonly rows: readonly FilesetRow[]
  readonly after: T | undefined
  /** Undefined: they are deleted at once. */
  readonly keeping: Keeping | undefined
}

/**
 * Removes the filesets that `pick` selects, all or none, and their bytes on the default storage. The folders move into the
 * trash before the transaction ends, so that after a crash no new fileset of the same name gets an old folder. If the
 * transaction fails, `settleTrash` moves them back. If there is no trash, the same transaction records what has to be
 * deleted, and the name is not free before that is done, unless the fileset can be restored: then a new one gets another folder.
 */
export async function removeFilesets<T = undefined>(
  context: FilesetsContext,
  pick: (filesets: FilesetSelect) => FilesetSelect,
  { after, by, job }: RemoveOptions<T> = {},
): Promise<Removed<T>> {
  const { database, removedFolders, removals, removedRecords, background } = context
  const moved = new Set<string>()
  let left: readonly FilesetRow[] = []
  let elsewhere: readonly FilesetRow[] = []
  try {
    return await database.write(async (queries) => {
      const selected = pick(queries.selectFrom("filesets").select(FILESET_COLUMNS))
      const rows = await selected.modifyEnd(database.dialect.forUpdate).execute()
      const plan = await planKeeping(queries, context, by)
      const keeping = plan && { ...plan, job }
      if (rows.length === 0) return { rows, after: await after?.(queries, { rows, keeping }), keeping }
      const own = rows.filter(({ owns_bytes }) => owns_bytes === 1)
      const folders = own.flatMap((row) => foldersOf(row, context))
      for (const { id } of folders) moved.add(id)
      await removedFolders?.put(folders)
      elsewhere = rows.filter(({ owns_bytes }) => owns_bytes === 0)
      left = own.filter(({ id }) => !moved.has(id))
      const ids = rows.map(({ id }) => id)
      const kept = keeping && (await readForTrash(queries, ids))
      const records = left.map((row) => ({ ...removedOf(row), leased_until: keeping?.until ?? 0 }))
      if (records.length > 0) await queries.insertInto("removed_filesets").values(records).execute()
      await queries.deleteFrom("filesets").where("id", "in", ids).execute()
      if (keeping !== undefined && kept !== undefined) await keepInTrash(queries, context, kept, keeping)
      return { rows, after: await after?.(queries, { rows, keeping }), keeping }
    })
  } catch (error) {
    // Before the answer: an error means that nothing has changed.
    await restoreMoved(context, [...moved]).catch(() => {})
    throw error
  } finally {
    // Also after a failure: what could not go back goes back then, or at the next start.
    background.start("delete or restore the files of removed filesets", (signal) =>
      settleTrash(context, [...moved], signal),
    )
    for (const _ of left) removals.wake()
    for (const row of elsewhere) {
      background.start("remove the kept bytes of a removed fileset", (signal) => removeKept(context, row, signal))
    }
    removedRecords.wake()
  }
}

/** Removes the former versions of files on storage that stays, unless the removal failed or the fileset can be restored. */
export async function removeKept(context: FilesetsContext, row: FilesetRow, signal: AbortSignal): Promise<void> {
  const { database, defaultStorage } = context
  if (!STORAGE_CAPABILITIES[row.storage_type].delete) return
  const isThere = await database.read(async (queries) => {
    const found = await queries.selectFrom("filesets").select("id").where("id", "=", row.id).executeTakeFirst()
    return found !== undefined || isInTrash(queries, row.id)
  })
  if (isThere) return
  const location = { configuration: storageOf(row, defaultStorage), workspace: row.workspace, isOwn: false }
  const { kept } = (await openAt(context, location)).storage
  for await (const id of kept?.list() ?? []) {
    signal.throwIfAborted()
    if (isKeptOf(row.id, id)) await kept?.remove(id)
  }
}

/**
 * Moves folders back whose filesets still exist, without a write transaction, because the database may be full. Does nothing on a database
 * of several servers: another one can be removing the same filesets.
 */
async function restoreMoved(
  { database, removedFolders, defaultStorage }: FilesetsContext,
  ids: readonly string[],
): Promise<void> {
  if (database.shared !== undefined || removedFolders === undefined || ids.length === 0) return
  const rows = await database.read((queries) =>
    queries.selectFrom("filesets").select(["id", "workspace", "name", "folder"]).where("id", "in", ids).execute(),
  )
  for (const row of rows) {
    const home = defaultStorageOf(defaultStorage, row.workspace, folderOf(row))
    if (home.type === "local") await removedFolders.restore({ id: row.id, folder: home.path })
  }
}

/** Returns the folder of a fileset that can go into the trash, if there is a trash. */
function foldersOf(row: FilesetRow, { removedFolders, defaultStorage }: FilesetsContext): FilesetFolder[] {
  const storage = storageOf(wholeOf(row), defaultStorage)
  return removedFolders !== undefined && storage.type === "local" ? [{ id: row.id, folder: storage.path }] : []
}

/** Returns the record of a removal. Its name is that of the folder, which a later fileset must not get while it has files. */
function removedOf(row: FilesetRow) {
  const { id, workspace, storage_type, storage } = row
  return {
    id,
    workspace,
    name: folderOf(row),
    storage_type,
    storage: typeof storage === "string" ? storage : JSON.stringify(storage),
  }
}

/**
 * Empties the trash. A folder whose fileset still exists, because its removal failed, is moved back. The folder of a fileset that can be
 * restored stays. Other folders are deleted. After the signal, folders stay in the trash until the next start.
 */
export async function settleTrash(
  context: FilesetsContext,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { database, removedFolders, defaultStorage } = context
  if (removedFolders === undefined) return
  for (const id of ids) {
    const settle = async (queries: Queries) => {
      // If another server is removing the fileset, wait for its transaction.
      const row = await queries
        .selectFrom("filesets")
        .select(["workspace", "name", "folder"])
        .where("id", "=", id)
        .modifyEnd(database.dialect.forUpdate)
        .executeTakeFirst()
      const home = row && defaultStorageOf(defaultStorage, row.workspace, folderOf(row))
      if (home?.type === "local") await removedFolders.restore({ id, folder: home.path })
      return home !== undefined || isInTrash(queries, id)
    }
    const isThere = await database.write(settle, { patient: true })
    if (!isThere) await removedFolders.empty(id, signal)
  }
}

import { changeTime } from "../../database/change-time.ts"
import type { Queries } from "../../database/database.ts"
import { readDatabaseTime } from "../../database/database-time.ts"
import type { FilesetRow } from "../../filesets/fileset-row.ts"
import { folderOf, storedStorageOf } from "../../filesets/storage-of.ts"
import type { RegistryContext } from "../../registry-context.ts"

/** Milliseconds in which results must be written. What a runner left behind that died is deleted after that. */
const STAGING_MS = 24 * 3_600_000
/** Milliseconds for which results stay that were replaced: somebody may be reading them. */
const REPLACED_MS = 600_000

interface StagedFolder {
  readonly context: Pick<RegistryContext, "database" | "now">
  /** The fileset when staging began. */
  readonly row: FilesetRow
  readonly folder: string
}

/**
 * Writes down, before there is any file, that a folder is to be deleted if nobody publishes it, and lets go what runners
 * left there that are gone. Returns until when it is kept.
 */
export async function stageFolder(queries: Queries, { context, row, folder }: StagedFolder): Promise<number> {
  const time = await readDatabaseTime(queries, context)
  const stagedUntil = time + STAGING_MS
  await queries
    .updateTable("removed_filesets")
    .set({ leased_until: time })
    .where("id", ">=", `${row.id}/`)
    .where("id", "<", `${row.id}0`)
    .where("leased_until", ">", time + REPLACED_MS)
    .execute()
  await queries
    .insertInto("removed_filesets")
    .values({ ...leftoverOf(row, folder), leased_until: stagedUntil })
    .execute()
  await queries
    .deleteFrom("file_digests")
    .where("fileset_id", "=", row.id)
    .where("path", "like", "attempt-%")
    .where("path", "not like", `${row.subfolder}/%`)
    .execute()
  return stagedUntil
}

/**
 * Makes a folder the place of the fileset's files. The folder before it is deleted later. Returns false, and the
 * transaction has to be given up, if the fileset or the folder is gone.
 */
export async function publishFolder(
  queries: Queries,
  { context, row, folder, stagedUntil }: StagedFolder & { readonly stagedUntil: number },
): Promise<boolean> {
  const { id, leased_until } = { id: leftoverOf(row, folder).id, leased_until: stagedUntil }
  const { numDeletedRows } = await queries
    .deleteFrom("removed_filesets")
    .where((left) => left.and({ id, leased_until }))
    .executeTakeFirstOrThrow()
  const { numUpdatedRows } = await queries
    .updateTable("filesets")
    .set({ subfolder: folder, updated_at: changeTime(context.now()) })
    .where("id", "=", row.id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n || numUpdatedRows === 0n) return false
  // Files that were there before results were staged lie around the folders, and go with the fileset.
  if (row.subfolder === "") return true
  const replaced_until = (await readDatabaseTime(queries, context)) + REPLACED_MS
  await queries
    .insertInto("removed_filesets")
    .values({ ...leftoverOf(row, row.subfolder), leased_until: replaced_until })
    .execute()
  return true
}

/** A folder of a fileset as one that was removed: whoever deletes the files of those deletes these. */
function leftoverOf(row: FilesetRow, folder: string) {
  const { id, workspace, storage_type } = row
  const storage = JSON.stringify(storedStorageOf({ ...row, subfolder: folder }))
  return { id: `${id}/${folder}`, workspace, name: `${folderOf(row)}/${folder}`, storage_type, storage }
}

import { access, readdir } from "node:fs/promises"
import { AssayError } from "@assay/schemas"
import type { Insertable } from "kysely"
import { readSteadyTime, type Queries, parseJson, type FilesetTable, fold, notInTrash } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"
import { defaultStorageOf, folderOf } from "../../storages/storage-configuration.ts"
import { COLUMNS_OF, FILESET_COLUMNS, type FilesetRow } from "../fileset-row.ts"
import { checkFolderStillFree } from "../local-folders.ts"
import { ATTEMPT, leftoverOf } from "./leftover-folder.ts"
import { isMoved, parseTrashed, restoredFolderOf, type TrashedFileset } from "./trash-entries.ts"

export interface RestoreAddress {
  readonly workspace: string
  readonly id: string
  /** The name that it gets. Undefined: the one that it had. */
  readonly name: string | undefined
  /** `results`: the fileset with the results of a removed job. Default: `fileset` */
  readonly kind?: "fileset" | "results"
}

/**
 * Makes a removed fileset again, with its id, its files and their history. The bytes move back before the transaction ends. If it fails,
 * they go to the trash again, at the latest with the next start.
 * @throws `not_found`; `already_exists` if another fileset has the name; `storage_not_allowed`
 */
export async function restoreFileset(context: FilesetsContext, address: RestoreAddress): Promise<FilesetRow> {
  const { database } = context
  try {
    const row = await database.write((queries) => restoreIn(queries, context, address))
    context.removals.wake()
    return row
  } catch (error) {
    await settleRestored(context, address.id).catch(() => {})
    if (database.dialect.failureOf(error) === "taken") throw nameTaken(address)
    throw error
  }
}

/** Makes a removed fileset again in a transaction. If the transaction fails, `settleRestored` follows it. */
export async function restoreIn(
  queries: Queries,
  context: FilesetsContext,
  address: RestoreAddress,
): Promise<FilesetRow> {
  const entry = await queries
    .selectFrom("trash_entries")
    .selectAll()
    .where((row) => row.and({ id: address.id, workspace: address.workspace, kind: address.kind ?? "fileset" }))
    .modifyEnd(context.database.dialect.forUpdate)
    .executeTakeFirst()
  if (entry === undefined || entry.removed_until <= (await readSteadyTime(queries, context))) {
    throw notInTrash(address)
  }
  const trashed = parseTrashed(entry.record)
  const { row: old } = trashed
  const moved = isMoved(old, context)
  if (old.owns_bytes === 1 && !moved) await keepFiles(queries, { ...address, until: entry.removed_until })
  const name = address.name ?? old.name
  const folder = moved ? restoredFolderOf(old.id) : old.owns_bytes === 1 ? folderOf(old) : ""
  const storage = moved ? JSON.stringify(defaultStorageOf(context.defaultStorage, old.workspace, folder)) : old.storage
  const path = old.owns_bytes === 0 && old.storage_type === "local" ? localPathOf(old.storage) : undefined
  if (path !== undefined) await checkFolderStillFree(context, queries, { workspace: old.workspace, path })
  // Lists that were read before see that it has changed.
  const updated_at = Math.max(context.now(), old.updated_at + 1)
  const row = await queries
    .insertInto("filesets")
    .values(valuesOf({ ...old, name, folder, storage, updated_at }))
    .returning(FILESET_COLUMNS)
    .executeTakeFirstOrThrow()
  if (trashed.usage !== null) await insertUsage(queries, old.id, trashed.usage)
  await queries.deleteFrom("trash_entries").where("id", "=", old.id).execute()
  if (moved) {
    await moveBack(context, row, trashed)
    await noteLeftovers(queries, context, row)
  }
  return row
}

/** Records folders of attempts whose results were never published, or were replaced: the records of their deletion name the folder before the trash. */
async function noteLeftovers(queries: Queries, context: FilesetsContext, row: FilesetRow): Promise<void> {
  if (row.subfolder === "") return
  const home = homeOf(context, row)
  const folders = (await exists(home)) ? await readdir(home) : []
  for (const folder of folders) {
    if (!folder.startsWith(ATTEMPT) || folder === row.subfolder) continue
    const left = leftoverOf(row, folder)
    const { name, storage } = left
    await queries
      .insertInto("removed_filesets")
      .values({ ...left, leased_until: 0 })
      // A runner may still write there, until its record ends.
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ name, storage }))
      .execute()
  }
}

/** Ends the deletion of files that are still where they were. @throws `not_found` if a server deletes them now */
async function keepFiles(queries: Queries, address: RestoreAddress & { readonly until: number }): Promise<void> {
  const { numDeletedRows } = await queries
    .deleteFrom("removed_filesets")
    .where((removed) => removed.and({ id: address.id, leased_until: address.until }))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notInTrash(address)
}

/** Moves the files from the trash into the folder of the fileset. The transaction may run again after that. */
async function moveBack(context: FilesetsContext, row: FilesetRow, { usage }: TrashedFileset): Promise<void> {
  const home = homeOf(context, row)
  const isThere = (await context.removedFolders?.ids())?.includes(row.id) === true
  if (!isThere && usage !== null && usage.files > 0 && !(await exists(home))) {
    const message = `The files of '${row.workspace}/${row.name}' are no longer in the trash, so it can't be restored.`
    throw new AssayError("not_found", message, { context: { workspace: row.workspace, fileset: row.name } })
  }
  await context.removedFolders?.restore({ id: row.id, folder: home })
}

/**
 * Moves the files of a fileset into the trash again if its restoration did not end. Without a write transaction on a database of one server,
 * because the database may be full.
 */
export async function settleRestored(context: FilesetsContext, id: string): Promise<void> {
  const { database, removedFolders } = context
  const settle = async (queries: Queries) => {
    // If another server is restoring the fileset, wait for its transaction.
    const entry = await queries
      .selectFrom("trash_entries")
      .select(["id", "workspace"])
      .where("id", "=", id)
      .$if(database.shared !== undefined, (query) => query.modifyEnd(database.dialect.forUpdate))
      .executeTakeFirst()
    const folder = entry && homeOf(context, entry)
    if (folder !== undefined && (await exists(folder))) await removedFolders?.put([{ id, folder }])
  }
  await (database.shared === undefined ? database.read(settle) : database.write(settle, { patient: true }))
}

/** Settles what a crash during restorations has left. */
export async function settleAllRestored(context: FilesetsContext, signal: AbortSignal): Promise<void> {
  if (context.removedFolders === undefined) return
  const entries = await context.database.read((queries) =>
    queries.selectFrom("trash_entries").select(["id", "workspace"]).where("kind", "!=", "job").execute(),
  )
  for (const entry of entries) {
    signal.throwIfAborted()
    if (await exists(homeOf(context, entry))) await settleRestored(context, entry.id)
  }
}

/** Returns the folder of a restored fileset. */
function homeOf({ defaultStorage }: FilesetsContext, { id, workspace }: Pick<FilesetRow, "id" | "workspace">): string {
  const home = defaultStorageOf(defaultStorage, workspace, restoredFolderOf(id))
  return home.type === "local" ? home.path : ""
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function localPathOf(storage: string): string | undefined {
  const { path } = JSON.parse(storage) as { readonly path?: string }
  return path
}

function insertUsage(queries: Queries, fileset_id: string, usage: NonNullable<TrashedFileset["usage"]>) {
  return queries
    .insertInto("fileset_usage")
    .values({ fileset_id, ...usage })
    .execute()
}

/** Returns all columns of a fileset, with those that follow from others. */
function valuesOf(row: TrashedFileset["row"]): Insertable<FilesetTable> {
  return {
    ...row,
    name_folded: fold(row.name),
    ...COLUMNS_OF.description(row.description),
    ...COLUMNS_OF.project(row.project),
    // The text that was stored keeps all digits of its numbers.
    metadata_folded: COLUMNS_OF.metadata(parseJson(row.metadata)).metadata_folded,
    custom_fields_folded: COLUMNS_OF.custom_fields(parseJson(row.custom_fields)).custom_fields_folded,
  }
}

function nameTaken({ workspace, id, name }: RestoreAddress): AssayError {
  const taken = name === undefined ? "its name" : `the name '${name}'`
  const message = `'${id}' can't be restored, because another fileset of workspace '${workspace}' has ${taken}; give another one: \`assay trash restore ${workspace}/${id} NAME\`.`
  return new AssayError("already_exists", message, { context: { workspace, trash: id } })
}

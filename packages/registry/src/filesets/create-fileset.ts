import { type CreateFileset, type Fileset, AssayError } from "@assay/schemas"
import { sql, type Insertable } from "kysely"
import type { Warmups } from "../cache/create-warmups.ts"
import { recordWarmup } from "../cache/warmup-rows.ts"
import type { Queries, Database } from "../database/database.ts"
import type { FilesetTable } from "../database/tables.ts"
import { fold } from "../filter/fold.ts"
import { checkFreeForm, checkStorable } from "../records/check-body.ts"
import { workspaceMissing } from "../records/not-found.ts"
import { createRecord } from "../records/write-records.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { SecretRights } from "../registry.ts"
import { defaultStorageOf } from "../storages/default-storage.ts"
import { checkFolderStillFree } from "./check-folder-free.ts"
import { checkStorage } from "./check-storage.ts"
import { COLUMNS_OF, filesetOf } from "./fileset-row.ts"

export interface CreateFilesetOptions {
  readonly rights: SecretRights
  /** Undefined where nothing is cached. */
  readonly warmups: Warmups | undefined
  readonly signal?: AbortSignal | undefined
  /** Of one on the default storage: the folder below its own in which its files are. Default: its own. */
  readonly subfolder?: string
}

/**
 * Makes a fileset. `cache` asks to have bytes near before they are read, which those on local storage and on the
 * server's default storage are anyway.
 * @throws `already_exists`, `invalid_request` where there is no such workspace, `unavailable` while files are deleted of
 * one that had the name, and what `checkStorage` throws
 */
export async function createFileset(
  context: RegistryContext,
  workspace: string,
  body: CreateFileset,
  { rights, warmups, signal, subfolder = "" }: CreateFilesetOptions,
): Promise<Fileset> {
  checkFreeForm(body)
  checkStorable(body)
  const { database, now, newId, defaultStorage } = context
  const { name, description = "", project = "", purpose = "generic", metadata = {}, custom_fields = {} } = body
  const named = body.storage ?? undefined
  if (named !== undefined) await checkNameFree(database, workspace, name)
  const storage =
    named === undefined
      ? defaultStorageOf(defaultStorage, workspace, name)
      : await checkStorage(named, { workspace, rights, signal }, context)
  const time = now()
  const row = {
    id: newId("fileset"),
    workspace,
    name,
    name_folded: fold(name),
    storage: JSON.stringify(storage),
    storage_type: storage.type,
    owns_bytes: named === undefined ? 1 : 0,
    subfolder,
    folder: "",
    ...COLUMNS_OF.description(description),
    ...COLUMNS_OF.project(project),
    ...COLUMNS_OF.purpose(purpose),
    ...COLUMNS_OF.metadata(metadata),
    ...COLUMNS_OF.custom_fields(custom_fields),
    created_at: time,
    updated_at: time,
  }
  const isWarmed = body.cache === true && named !== undefined && storage.type !== "local" && warmups !== undefined
  const folder = named !== undefined && storage.type === "local" ? storage.path : undefined
  let inserted = await insertFileset(context, row, { isWarmed, folder })
  while (inserted === undefined) {
    await context.removals.settle(workspace, name, signal)
    inserted = await insertFileset(context, row, { isWarmed, folder })
  }
  if (isWarmed) warmups.wake()
  return filesetOf({ ...row, ...inserted }, defaultStorage)
}

type FilesetFolderColumns = Pick<Insertable<FilesetTable>, "storage"> & { readonly folder: string }

/**
 * Gives a fileset a folder of its own where the one of its name holds the files of a fileset that was renamed. No name has a
 * `~`, so no other fileset ever gets that folder.
 */
async function keepApart(
  { defaultStorage }: RegistryContext,
  queries: Queries,
  { id, workspace, name }: Insertable<FilesetTable>,
): Promise<FilesetFolderColumns | undefined> {
  // The index holds only filesets that have one. SQLite would plan a query with a parameter in its place anew each time.
  const renamed = await sql`select id from filesets
    where workspace = ${workspace} and folder = ${name} and folder <> '' limit 1`.execute(queries)
  if (renamed.rows.length === 0) return undefined
  const folder = `~${id}`
  const storage = JSON.stringify(defaultStorageOf(defaultStorage, workspace, folder))
  await queries.updateTable("filesets").set({ folder, storage }).where("id", "=", id).execute()
  return { folder, storage }
}

/**
 * Puts the fileset on record, with what is to be done for it, and answers where its files are. Undefined where files of a
 * removed fileset are still in the place of this one.
 */
function insertFileset(
  context: RegistryContext,
  row: Insertable<FilesetTable>,
  { isWarmed, folder }: { readonly isWarmed: boolean; readonly folder: string | undefined },
): Promise<FilesetFolderColumns | undefined> {
  const { database, trash } = context
  const { id, workspace, name } = row
  return createRecord(
    database,
    async (queries) => {
      if (folder !== undefined) await checkFolderStillFree(context, queries, { workspace, path: folder })
      await queries.insertInto("filesets").values(row).execute()
      if (isWarmed) await recordWarmup(queries, id, row.created_at)
      const place = { storage: row.storage, folder: "" }
      if (row.owns_bytes === 0) return place
      // Only now: the insert waits for a rename or a removal that has not come to its end, and this sees what that leaves.
      const apart = await keepApart(context, queries, row)
      if (apart !== undefined || trash !== undefined) return apart ?? place
      const left = await queries
        .selectFrom("removed_filesets")
        .select("id")
        .where((removed) => removed.and({ workspace, name }))
        .executeTakeFirst()
      if (left !== undefined) await queries.deleteFrom("filesets").where("id", "=", id).execute()
      return left === undefined ? place : undefined
    },
    { taken: () => nameTaken(workspace, name), missingParent: () => workspaceMissing(workspace) },
  )
}

/**
 * That a fileset of the name could be made now, before anybody else is asked about it. The last word is the insert's.
 * @throws `already_exists`, `invalid_request` where there is no such workspace
 */
export async function checkNameFree(database: Database, workspace: string, name: string): Promise<void> {
  const found = await database.read((queries) =>
    queries
      .selectFrom("workspaces")
      .leftJoin("filesets", (join) =>
        join.onRef("filesets.workspace", "=", "workspaces.name").on("filesets.name", "=", name),
      )
      .select("filesets.id")
      .where("workspaces.name", "=", workspace)
      .executeTakeFirst(),
  )
  if (found === undefined) throw workspaceMissing(workspace)
  if (found.id !== null) throw nameTaken(workspace, name)
}

export function nameTaken(workspace: string, name: string): AssayError {
  return new AssayError("already_exists", `Fileset '${workspace}/${name}' already exists`)
}

import { AssayError, type CreateFileset, type Fileset } from "@assay/schemas"
import { sql, type Insertable } from "kysely"
import type { Warmups } from "../cache/create-warmups.ts"
import {
  type Queries,
  type Database,
  type FilesetTable,
  fold,
  workspaceMissing,
  checkFreeForm,
  checkStorable,
  createRecord,
} from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import type { SecretRights } from "../storages/secret-rights.ts"
import { defaultStorageOf } from "../storages/storage-configuration.ts"
import { checkStorage } from "./check-storage.ts"
import { COLUMNS_OF, filesetOf } from "./fileset-row.ts"
import { checkSignature } from "./fileset-signature.ts"
import { checkFolderStillFree } from "./local-folders.ts"

interface CreateFilesetOptions {
  readonly rights: SecretRights
  /** Undefined if there is no read cache. */
  readonly warmups: Warmups | undefined
  readonly signal?: AbortSignal | undefined
  /** For a fileset on the default storage: the subfolder of its folder that contains its files. Default: none. */
  readonly subfolder?: string | undefined
}

/**
 * Makes a fileset. `cache` requests a warm-up of the read cache. It has no effect on local storage and on the default
 * storage.
 * @throws `already_exists`, `invalid_request` if there is no such workspace, `unavailable` while the files of a removed
 * fileset with the name are being deleted, `bad_signature`, and the errors of `checkStorage`
 */
export async function createFileset(
  context: FilesetsContext,
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
  const location = { configuration: storage, workspace, isOwn: false }
  const signature = await checkSignature(context, body, location, signal)
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
    signature: signature === undefined ? null : JSON.stringify(signature),
    ...COLUMNS_OF.description(description),
    ...COLUMNS_OF.project(project),
    ...COLUMNS_OF.purpose(purpose),
    ...COLUMNS_OF.metadata(metadata),
    ...COLUMNS_OF.custom_fields(custom_fields),
    created_at: time,
    updated_at: time,
  }
  const isWarmed = body.cache === true && named !== undefined && storage.type !== "local"
  const warmup = isWarmed ? warmups : undefined
  const folder = named !== undefined && storage.type === "local" ? storage.path : undefined
  let inserted = await insertFileset(context, row, { warmup, folder })
  while (inserted === undefined) {
    await context.removals.settle(workspace, name, signal)
    inserted = await insertFileset(context, row, { warmup, folder })
  }
  warmup?.wake()
  return filesetOf({ ...row, ...inserted }, defaultStorage)
}

type FilesetFolderColumns = Pick<Insertable<FilesetTable>, "storage"> & { readonly folder: string }

/** Returns whether a folder has the files of a removed fileset that can be restored. */
async function isHeldByTrash(queries: Queries, folder: { readonly workspace: string; readonly name: string }) {
  const held = await queries
    .selectFrom("removed_filesets")
    .innerJoin("trash_entries", "trash_entries.id", "removed_filesets.id")
    .select("removed_filesets.id")
    .where("removed_filesets.workspace", "=", folder.workspace)
    .where("removed_filesets.name", "=", folder.name)
    .limit(1)
    .executeTakeFirst()
  return held !== undefined
}

/**
 * Gives a fileset another folder if the folder of its name holds the files of a renamed fileset, or of a removed one that can be restored.
 * No name contains a `~`, so no other fileset ever gets this folder.
 */
async function keepApart(
  { defaultStorage }: FilesetsContext,
  queries: Queries,
  { id, workspace, name }: Insertable<FilesetTable>,
): Promise<FilesetFolderColumns | undefined> {
  // The index contains only filesets with a folder. The condition on '' is written out: with a parameter, SQLite would plan
  // the query again on every run.
  const renamed = await sql`select id from filesets
    where workspace = ${workspace} and folder = ${name} and folder <> '' limit 1`.execute(queries)
  if (renamed.rows.length === 0 && !(await isHeldByTrash(queries, { workspace, name }))) return undefined
  const folder = `~${id}`
  const storage = JSON.stringify(defaultStorageOf(defaultStorage, workspace, folder))
  await queries.updateTable("filesets").set({ folder, storage }).where("id", "=", id).execute()
  return { folder, storage }
}

/**
 * Inserts the fileset and its warm-up. Returns the folder of its files, or undefined if that folder still has files of a
 * removed fileset.
 */
function insertFileset(
  context: FilesetsContext,
  row: Insertable<FilesetTable>,
  { warmup, folder }: { readonly warmup: Warmups | undefined; readonly folder: string | undefined },
): Promise<FilesetFolderColumns | undefined> {
  const { database, removedFolders } = context
  const { id, workspace, name } = row
  return createRecord(
    database,
    async (queries) => {
      if (folder !== undefined) await checkFolderStillFree(context, queries, { workspace, path: folder })
      await queries.insertInto("filesets").values(row).execute()
      await warmup?.record(queries, id, row.created_at)
      const location = { storage: row.storage, folder: "" }
      if (row.owns_bytes === 0) return location
      // Only after the insert, which waits for a running rename or removal: this sees its result.
      const apart = await keepApart(context, queries, row)
      if (apart !== undefined || removedFolders !== undefined) return apart ?? location
      const left = await queries
        .selectFrom("removed_filesets")
        .select("id")
        .where((removed) => removed.and({ workspace, name }))
        .executeTakeFirst()
      if (left !== undefined) await queries.deleteFrom("filesets").where("id", "=", id).execute()
      return left === undefined ? location : undefined
    },
    { taken: () => nameTaken(workspace, name), missingParent: () => workspaceMissing(workspace) },
  )
}

/**
 * Checks that a fileset with this name can be made, before remote storage is contacted. The insert checks it again.
 * @throws `already_exists`, `invalid_request` if there is no such workspace
 */
async function checkNameFree(database: Database, workspace: string, name: string): Promise<void> {
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

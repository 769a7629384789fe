import { AssayError, isAssayError } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { readDatabaseTime } from "../database/clock.ts"
import type { Queries } from "../database/database.ts"
import type { OpenFileset } from "../files/open-fileset.ts"
import { createFileset } from "../filesets/create-fileset.ts"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { FindFileset } from "../filesets/find-fileset.ts"
import { changeTime } from "../records/write-records.ts"
import type { RegistryContext } from "../registry-context.ts"
import { folderOf, storedStorageOf } from "../storages/storage-configuration.ts"

/** The fileset of a job's results, and what it is made with if it is missing. */
export interface ResultsFilesetBody {
  readonly workspace: string
  readonly name: string
  readonly description: string
  readonly custom_fields: Readonly<Record<string, unknown>>
}

/** Results that one runner writes aside: nobody sees them before the job ends with them. */
export interface StagedResults {
  /** The folder that is this runner's alone. */
  readonly folder: string
  /** Writes a file aside, whole or not at all. */
  write(path: string, bytes: AsyncIterable<Uint8Array>, options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Removes what was written: it will never be seen. */
  discard(): Promise<void>
  /** Makes what was written the files of the fileset, in the transaction that ends the job. @throws `not_found` */
  publish(queries: Queries): Promise<void>
}

export interface StagingContext extends RegistryContext {
  readonly find: FindFileset
  readonly openFileset: OpenFileset
}

interface Staging {
  readonly context: StagingContext
  readonly fileset: ResultsFilesetBody
  /** No two runners of a job share it. */
  readonly folder: string
  /** Answers undefined, and does nothing, where the lease is lost. */
  readonly whileHeld: <T>(work: (queries: Queries) => Promise<T>) => Promise<T | undefined>
  readonly lost: () => AssayError
}

/** Nobody's folder: the fileset has no files before the first results are there. */
const NO_FOLDER = "attempt-0"

/**
 * Begins to write results aside, into a folder of the fileset that is this runner's alone. A runner that was thought dead
 * and wakes up writes where nobody looks.
 * @throws `runner_lost`, `already_exists` if the name is taken by a fileset that keeps its files elsewhere
 */
export async function stageResults({ context, fileset, folder, whileHeld, lost }: Staging): Promise<StagedResults> {
  const { workspace, name } = fileset
  if ((await whileHeld(async () => true)) === undefined) throw lost()
  const { workspace: _, ...body } = fileset
  const options = { rights: EVERYWHERE, warmups: undefined, subfolder: NO_FOLDER }
  await createFileset(context, workspace, body, options).catch((error: unknown) => {
    if (!isAssayError(error, "already_exists")) throw error
  })
  const row = await context.find(workspace, name)
  if (row.owns_bytes === 0) throw nameTaken(row)
  const staged = await whileHeld((queries) => stageFolder(queries, { context, row, folder }))
  if (staged === undefined) throw lost()
  const storage = await context.openFileset({ ...row, subfolder: folder }, EVERYWHERE)
  return {
    folder,
    async write(path, bytes, options = {}) {
      options.signal?.throwIfAborted()
      try {
        await storage.write(parseFilePath(path), bytes, options)
      } catch (error) {
        // The digest finds no fileset to belong to.
        if (context.database.dialect.failureOf(error) !== "missing_parent") throw error
        throw removed(row)
      }
    },

    async discard() {
      for await (const { path } of storage.list()) await storage.delete(path)
    },

    async publish(queries) {
      if (!(await publishFolder(queries, { context, row, folder, stagedUntil: staged }))) throw removed(row)
    },
  }
}

const EVERYWHERE = () => true

function nameTaken({ workspace, name }: FilesetRow): AssayError {
  const message = `Results can't be written: the fileset '${workspace}/${name}' keeps its files elsewhere; remove it, or name another place in output_files_url.`
  return new AssayError("already_exists", message, { context: { workspace, fileset: name } })
}

function removed({ workspace, name }: FilesetRow): AssayError {
  const message = `The fileset '${workspace}/${name}' was removed while results were written to it.`
  return new AssayError("not_found", message, { context: { workspace, fileset: name } })
}

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

import { AssayError, isAssayError } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import { readDatabaseTime, type Queries, changeTime } from "@assay/database"
import type { OpenFileset } from "./open-fileset.ts"
import { createFileset } from "../filesets/create-fileset.ts"
import type { FilesetRow, FindFileset } from "../filesets/fileset-row.ts"
import { leftoverOf } from "../filesets/removal/leftover-folder.ts"
import { countAgain } from "../filesets/stored-bytes.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import { ALL_SECRETS } from "../storages/secret-rights.ts"

/** The fileset of a job's results, and its values if it has to be made. */
export interface ResultsFilesetBody {
  readonly workspace: string
  readonly name: string
  readonly description: string
  readonly custom_fields: Readonly<Record<string, unknown>>
}

/** Results that one runner writes. They become visible when the job ends with them. */
export interface StagedResults {
  /** The folder of this runner. */
  readonly folder: string
  /** Writes a file, completely or not at all. */
  write(path: FilePath, bytes: AsyncIterable<Uint8Array>, options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Removes the written files, which then never become visible. Does nothing if they are published. */
  discard(): Promise<void>
  /** Makes the written files the files of the fileset, in the transaction that ends the job. @throws `not_found` */
  publish(queries: Queries): Promise<void>
}

interface StagingContext extends FilesetsContext {
  readonly find: FindFileset
  readonly openFileset: OpenFileset
}

/** Where a runner stages results, and its lease. */
export interface Staging {
  readonly fileset: ResultsFilesetBody
  /** No two runners of a job have the same folder. */
  readonly folder: string
  /** Does nothing and returns undefined if the lease is lost. */
  readonly whileHeld: <T>(work: (queries: Queries) => Promise<T>) => Promise<T | undefined>
  readonly lost: () => AssayError
}

/** An unused folder: the fileset has no files before the first results. */
const NO_FOLDER = "attempt-0"

/** @throws `runner_lost` if the lease is lost; `already_exists` if a fileset on other storage has the name */
export type StageResults = (staging: Staging) => Promise<StagedResults>

/**
 * Begins to write results into this runner's own folder of the fileset. If a runner counts as lost and continues, nobody
 * sees its files.
 * @throws `runner_lost`; `already_exists` if a fileset on other storage has the name
 */
export async function stageResults(
  context: StagingContext,
  { fileset, folder, whileHeld, lost }: Staging,
): Promise<StagedResults> {
  const { workspace, name } = fileset
  if ((await whileHeld(async () => true)) === undefined) throw lost()
  const { workspace: _, ...body } = fileset
  const options = { rights: ALL_SECRETS, warmups: undefined, subfolder: NO_FOLDER }
  await createFileset(context, workspace, body, options).catch((error: unknown) => {
    if (!isAssayError(error, "already_exists")) throw error
  })
  const row = await context.find(workspace, name)
  if (row.owns_bytes === 0) throw nameTaken(row)
  const staged = await whileHeld((queries) => stageFolder(queries, { context, row, folder }))
  if (staged === undefined) throw lost()
  const storage = await context.openFileset({ ...row, subfolder: folder }, ALL_SECRETS)
  return {
    folder,
    async write(path, bytes, options = {}) {
      options.signal?.throwIfAborted()
      try {
        await storage.write(path, bytes, options)
      } catch (error) {
        // The digest can't be stored, because the fileset was removed.
        if (context.database.dialect.failureOf(error) !== "missing_parent") throw error
        throw removed(row)
      }
    },

    async discard() {
      // The end of the job may have been recorded, although its runner got the error that the database does not respond.
      const { subfolder } = await context.find(workspace, name)
      if (subfolder === folder) return
      for await (const { path } of storage.list()) await storage.delete(path)
    },

    async publish(queries) {
      if (!(await publishFolder(queries, { context, row, folder, stagedUntil: staged }))) throw removed(row)
    },
  }
}

function nameTaken({ workspace, name }: FilesetRow): AssayError {
  const message = `Results can't be written: the fileset '${workspace}/${name}' keeps its files on other storage; remove it, or set output_files_url to another place.`
  return new AssayError("already_exists", message, { context: { workspace, fileset: name } })
}

function removed({ workspace, name }: FilesetRow): AssayError {
  const message = `The fileset '${workspace}/${name}' was removed while results were written to it.`
  return new AssayError("not_found", message, { context: { workspace, fileset: name } })
}

/** Milliseconds in which results must be published. After that, files of a dead runner are deleted. */
const STAGING_MS = 24 * 3_600_000
/** Milliseconds for which replaced results are kept, because a client may be reading them. */
const REPLACED_MS = 600_000

interface StagedFolder {
  readonly context: Pick<FilesetsContext, "database" | "now">
  /** The fileset when staging began. */
  readonly row: FilesetRow
  readonly folder: string
}

/**
 * Records, before the first file is written, that a folder is to be deleted if it is not published. Releases the folders of
 * runners that are gone. Returns the time until which the folder is kept.
 */
async function stageFolder(queries: Queries, { context, row, folder }: StagedFolder): Promise<number> {
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
    // Staging may begin twice: the first response of the database was lost.
    .onConflict((left) => left.column("id").doUpdateSet({ leased_until: stagedUntil }))
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
 * Makes a folder the location of the fileset's files. The earlier folder is deleted later. Returns false if the fileset or the
 * folder is gone. The caller must then roll back.
 */
async function publishFolder(
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
  await countAgain(queries, row.id, folder)
  // Older files without a subfolder stay beside the folders, and are removed with the fileset.
  if (row.subfolder === "") return true
  const replaced_until = (await readDatabaseTime(queries, context)) + REPLACED_MS
  await queries
    .insertInto("removed_filesets")
    .values({ ...leftoverOf(row, row.subfolder), leased_until: replaced_until })
    .execute()
  return true
}

import { AssayError, isAssayError } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import type { Queries } from "../../database/database.ts"
import type { OpenFileset } from "../../files/open-fileset.ts"
import { createFileset } from "../../filesets/create-fileset.ts"
import type { FilesetRow } from "../../filesets/fileset-row.ts"
import type { FindFileset } from "../../filesets/find-fileset.ts"
import type { RegistryContext } from "../../registry-context.ts"
import { publishFolder, stageFolder } from "./staged-rows.ts"

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

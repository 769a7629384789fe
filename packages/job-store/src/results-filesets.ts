import type { AssayError } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import type { Queries } from "@assay/database"
import type { DiscardedJob } from "./jobs.ts"

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

/** The runner that stages results. */
export interface StagingRunner {
  readonly fileset: ResultsFilesetBody
  /** No two runners of a job have the same folder. */
  readonly folder: string
  /** Does nothing and returns undefined if the lease is lost. */
  readonly whileHeld: <T>(work: (queries: Queries) => Promise<T>) => Promise<T | undefined>
  readonly lost: () => AssayError
}

/** How a job is kept that is removed with its results. Times are milliseconds since 1970. */
export interface JobKeeping {
  /** The caller who removes it. Empty: nobody signed in. */
  readonly by: string
  readonly at: number
  /** Then it is deleted. */
  readonly until: number
}

interface RemoveResultsOptions {
  /** The caller who removes the job. Undefined: the trash does not keep the fileset. */
  readonly by: string | undefined
  /** The id of the job. */
  readonly job: string
  readonly after: (
    queries: Queries,
    id: string | null,
    keeping: JobKeeping | undefined,
  ) => Promise<DiscardedJob | undefined>
}

/** The filesets that the results of jobs are written to. */
export interface ResultsFilesets {
  /** Begins to write results into the runner's own folder. @throws `runner_lost`, `already_exists` */
  stage(runner: StagingRunner): Promise<StagedResults>
  /**
   * Moves the fileset with the results of a job into the trash, and calls `after` at the end of the same transaction with its id, or null if
   * there is no such fileset. `keeping` is undefined if the trash does not keep it: then it is deleted at once.
   */
  remove(
    fileset: Pick<ResultsFilesetBody, "workspace" | "name">,
    options: RemoveResultsOptions,
  ): Promise<DiscardedJob | undefined>
  /** Takes a fileset with results out of the trash. If the transaction fails, `settleRestored` follows it. @throws `not_found` */
  restoreIn(queries: Queries, fileset: { readonly workspace: string; readonly id: string }): Promise<unknown>
  settleRestored(id: string): Promise<void>
}

import type { RowPage, RowProfile, RowReport, RowSearchPage, RowTrial } from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { filesetRoute } from "../exchange/route.ts"
import { type RowFilters, rowQuery } from "./row-filters.ts"

export interface RowFilesQuery {
  /** Path of a file, or of a folder with everything below it. Default: every file. */
  readonly path?: string
}

export interface ValidateQuery extends RowFilesQuery {
  /** Maximum number of listed issues per file, at most 1000. Default 100. */
  readonly max_issues?: number
}

export interface InferSchemaQuery extends RowFilesQuery {
  /** Maximum number of rows that are read from all files together, at most 100,000. Default 1000. */
  readonly rows?: number
}

export interface RowPageQuery {
  readonly path: string
  /** Index of the first row. Default 0. */
  readonly offset?: number
  /** Maximum number of rows, at most 1000. Default 100. */
  readonly limit?: number
  /**
   * Conditions by column, or by JSON pointer if it begins with `/`: `{score: {$gte: "0.5"}}`. The page has the next rows that match. It can
   * be empty although more follow: continue at `next_offset` until that is null.
   */
  readonly filter?: RowFilters
}

export interface RowSearchQuery {
  readonly path: string
  /** Only rows with issues. */
  readonly invalid?: boolean
  /** With `invalid`: the pointer and the message of a kind of issues, such as `/label must be string`. */
  readonly issue?: string
  /** Position of the first row among those that were found. Default 0. */
  readonly offset?: number
  /** Begin at the first row from this index on, instead of `offset`. */
  readonly from?: number
  /** Maximum number of rows, at most 1000. Default 100. */
  readonly limit?: number
  /** Conditions as of `page`. */
  readonly filter?: RowFilters
}

/**
 * Reads and checks the rows of filesets. The server reads whole files for an answer, so only a signal ends a call.
 * @throws `not_found`, `not_a_row_file` if `path` is not a file of rows
 */
export interface Rows {
  /** Validates every row with the schema of its path. */
  validate(workspace: string, fileset: string, query?: ValidateQuery, options?: CallOptions): Promise<RowReport>
  /** Returns some rows of one file, each with its issues. */
  page(workspace: string, fileset: string, query: RowPageQuery, options?: CallOptions): Promise<RowPage>
  /** Searches all rows of a file. A search that is not complete goes on: ask again. */
  search(workspace: string, fileset: string, query: RowSearchQuery, options?: CallOptions): Promise<RowSearchPage>
  /** Checks the first 1,000 rows with another schema. */
  trySchema(
    workspace: string,
    fileset: string,
    body: { readonly schema: Readonly<Record<string, unknown>>; readonly path?: string },
    options?: CallOptions,
  ): Promise<RowTrial>
  /** Infers a JSON Schema (2020-12) that the first rows satisfy. */
  inferSchema(
    workspace: string,
    fileset: string,
    query?: InferSchemaQuery,
    options?: CallOptions,
  ): Promise<Record<string, unknown>>
  /** Returns types, missing and frequent values, ranges and lengths of each column. */
  profile(workspace: string, fileset: string, query?: RowFilesQuery, options?: CallOptions): Promise<RowProfile>
}

export function createRows(call: CallJson): Rows {
  const patient = true
  return {
    validate: async (workspace, fileset, query, { signal } = {}) =>
      call({
        method: "POST",
        path: filesetRoute(workspace, fileset, "validate"),
        query: { ...query },
        signal,
        patient,
      }),
    page: async (workspace, fileset, query, { signal } = {}) =>
      call({ method: "GET", path: filesetRoute(workspace, fileset, "rows"), query: rowQuery(query), signal, patient }),
    search: async (workspace, fileset, query, { signal } = {}) =>
      call({
        method: "GET",
        path: filesetRoute(workspace, fileset, "rows", "search"),
        query: rowQuery(query),
        signal,
        patient,
      }),
    trySchema: async (workspace, fileset, json, { signal } = {}) =>
      call({ method: "POST", path: filesetRoute(workspace, fileset, "try-schema"), json, signal, patient }),
    inferSchema: async (workspace, fileset, query, { signal } = {}) =>
      call({
        method: "POST",
        path: filesetRoute(workspace, fileset, "infer-schema"),
        query: { ...query },
        signal,
        patient,
      }),
    profile: async (workspace, fileset, query, { signal } = {}) =>
      call({ method: "GET", path: filesetRoute(workspace, fileset, "profile"), query: { ...query }, signal, patient }),
  }
}

import type { RowPage, RowProfile, RowReport } from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { filesetRoute } from "../exchange/route.ts"

export interface RowFilesQuery {
  /** A file, or a folder with all below it. Default: every file. */
  readonly path?: string
}

export interface ValidateQuery extends RowFilesQuery {
  /** Issues that are listed of each file, up to 1000. Default 100. */
  readonly max_issues?: number
}

export interface InferSchemaQuery extends RowFilesQuery {
  /** Rows that are read, of all files together, up to 100 000. Default 1000. */
  readonly rows?: number
}

export interface RowPageQuery {
  readonly path: string
  /** Index of the first row. Default 0. */
  readonly offset?: number
  /** Rows at the most, up to 1000. Default 100. */
  readonly limit?: number
}

/**
 * What the rows of filesets are like. The server reads whole files for an answer, so only a signal gives a call up.
 * @throws `not_found`, `not_a_row_file` for a `path` that no rows are read from
 */
export interface Rows {
  /** Holds every row against the schema of its path. */
  validate(workspace: string, fileset: string, query?: ValidateQuery, options?: CallOptions): Promise<RowReport>
  /** Some rows of one file, with what is wrong with each. */
  page(workspace: string, fileset: string, query: RowPageQuery, options?: CallOptions): Promise<RowPage>
  /** A JSON Schema (2020-12) that the first rows satisfy. */
  inferSchema(
    workspace: string,
    fileset: string,
    query?: InferSchemaQuery,
    options?: CallOptions,
  ): Promise<Record<string, unknown>>
  /** Types, missing and frequent values, ranges and lengths per column. */
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
      call({ method: "GET", path: filesetRoute(workspace, fileset, "rows"), query: { ...query }, signal, patient }),
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

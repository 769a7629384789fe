import type { FilesetDiff, FilesetHistory, KeptUsage, RestoredFileset, RestoreFileset, RowDiff } from "@assay/schemas"
import type { CallOptions } from "../client-options.ts"
import type { CallJson } from "../exchange/call-json.ts"
import { filesetRoute } from "../exchange/route.ts"

export interface HistoryQuery {
  /** Only the former versions of this file, or of the files below this folder. */
  readonly path?: string
  readonly limit?: number
  /** `next_page_token` of the previous page. */
  readonly page_token?: string
}

export interface DiffQuery {
  readonly from: string
  /** Default: the present files. */
  readonly to?: string
  readonly path?: string
  readonly limit?: number
}

export interface RowDiffQuery extends DiffQuery {
  /** The file whose rows are compared. */
  readonly path: string
  /** The field that names a row, or a JSON pointer to it. Default: rows are compared as wholes. */
  readonly key?: string
}

/** The replaced and deleted files of filesets. */
export interface History {
  /** Lists changes, newest first. */
  list(workspace: string, fileset: string, query?: HistoryQuery, options?: CallOptions): Promise<FilesetHistory>
  /** @throws `not_found` for an unknown revision */
  diff(workspace: string, fileset: string, query: DiffQuery, options?: CallOptions): Promise<FilesetDiff>
  /** Compares the rows of a file. @throws `not_found`; `bad_request` if the key does not name each row */
  diffRows(workspace: string, fileset: string, query: RowDiffQuery, options?: CallOptions): Promise<RowDiff>
  /** Brings a revision back with a new change. @throws `revision_gone` if bytes are gone; then nothing is changed */
  restore(workspace: string, fileset: string, body: RestoreFileset, options?: CallOptions): Promise<RestoredFileset>
  /** Removes all kept bytes, and returns how many they were. */
  purge(workspace: string, fileset: string, options?: CallOptions): Promise<KeptUsage>
}

export function createHistory(call: CallJson): History {
  return {
    list: async (workspace, fileset, query, { signal } = {}) =>
      call({ method: "GET", path: filesetRoute(workspace, fileset, "history"), query: { ...query }, signal }),
    diff: async (workspace, fileset, query, { signal } = {}) =>
      call({ method: "GET", path: filesetRoute(workspace, fileset, "diff"), query: { ...query }, signal }),
    diffRows: async (workspace, fileset, query, { signal } = {}) =>
      call({ method: "GET", path: filesetRoute(workspace, fileset, "diff", "rows"), query: { ...query }, signal }),
    restore: async (workspace, fileset, body, { signal } = {}) =>
      call({ method: "POST", path: filesetRoute(workspace, fileset, "restore"), json: body, signal }),
    purge: async (workspace, fileset, { signal } = {}) =>
      call({ method: "DELETE", path: filesetRoute(workspace, fileset, "history"), signal }),
  }
}

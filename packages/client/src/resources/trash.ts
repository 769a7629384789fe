import type { EmptiedTrash, EvaluationJob, Fileset, RestoreTrash, TrashEntry, TrashPage } from "@assay/schemas"
import type { CallOptions } from "../client-options.ts"
import type { CallJson } from "../exchange/call-json.ts"
import { route } from "../exchange/route.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import type { PageQuery } from "./workspaces.ts"

export interface TrashQuery {
  /** Only what had this name. */
  readonly name?: string | undefined
}

/** Deleted filesets and jobs that can be restored. */
export interface Trash {
  /** Returns one page, those that were deleted last first. The workspace `-` means all that the caller may see. */
  page(workspace: string, query?: TrashQuery & PageQuery, options?: CallOptions): Promise<TrashPage>
  list(workspace: string, query?: TrashQuery, options?: CallOptions): AsyncGenerator<TrashEntry, void, undefined>
  /** @throws `not_found`; `already_exists` if another fileset has the name */
  restore(workspace: string, id: string, body?: RestoreTrash, options?: CallOptions): Promise<Fileset>
  /** Restores a job with its rows and results. @throws `not_found`; `already_exists` if another fileset has the name of its results */
  restoreJob(workspace: string, id: string, options?: CallOptions): Promise<EvaluationJob>
  /** Deletes an entry for good. */
  remove(workspace: string, id: string, options?: CallOptions): Promise<TrashEntry>
  /** Deletes all entries for good. */
  empty(workspace: string, options?: CallOptions): Promise<EmptiedTrash>
}

const LIST_PAGE_SIZE = 1000

export function createTrash(call: CallJson): Trash {
  const trashRoute = (workspace: string, ...below: readonly string[]) =>
    `/apis/files/v2/workspaces${route(workspace, "trash", ...below)}`
  const page: Trash["page"] = async (workspace, query, { signal } = {}) =>
    call({ method: "GET", path: trashRoute(workspace), query: { ...query }, signal })
  return {
    page,
    list: (workspace, query, options) =>
      recordsOfPages(LIST_PAGE_SIZE, (part) => page(workspace, { ...query, ...part }, options)),
    restore: async (workspace, id, json = {}, { signal } = {}) =>
      call({ method: "POST", path: trashRoute(workspace, id, "restore"), json, signal }),
    restoreJob: async (workspace, id, { signal } = {}) =>
      call({ method: "POST", path: trashRoute(workspace, id, "restore"), json: {}, signal }),
    remove: async (workspace, id, { signal } = {}) =>
      call({ method: "DELETE", path: trashRoute(workspace, id), signal }),
    empty: async (workspace, { signal } = {}) => call({ method: "DELETE", path: trashRoute(workspace), signal }),
  }
}

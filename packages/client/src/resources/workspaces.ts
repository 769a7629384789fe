import type { CreateWorkspace, UpdateWorkspace, Workspace, WorkspacePage } from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import { route } from "../exchange/route.ts"

export interface PageQuery {
  /** Counted from 1. */
  readonly page?: number
  readonly page_size?: number
}

export interface WorkspaceListQuery extends PageQuery {
  /** Such as `name~"team"`, or the same as an object. Default: all workspaces. */
  readonly filter?: string | Readonly<Record<string, unknown>> | undefined
}

export interface Workspaces {
  create(body: CreateWorkspace, options?: CallOptions): Promise<Workspace>
  /** Returns one page. Default `page_size` 100, from 1 to 1000. */
  page(query?: WorkspaceListQuery, options?: CallOptions): Promise<WorkspacePage>
  list(options?: CallOptions): AsyncGenerator<Workspace, void, undefined>
  get(name: string, options?: CallOptions): Promise<Workspace>
  update(name: string, body: UpdateWorkspace, options?: CallOptions): Promise<Workspace>
  /** Removes a workspace and returns its record. @throws `in_use` if it contains filesets or secrets, unless `cascade` */
  remove(name: string, options?: CallOptions & { readonly cascade?: boolean }): Promise<Workspace>
}

const root = "/apis/entities/v2/workspaces"
const LIST_PAGE_SIZE = 1000

export function createWorkspaces(call: CallJson): Workspaces {
  const page: Workspaces["page"] = async ({ filter, ...query } = {}, { signal } = {}) => {
    const written = typeof filter === "object" ? JSON.stringify(filter) : filter
    return call({ method: "GET", path: root, query: { ...query, filter: written }, signal })
  }
  return {
    page,
    create: async (json, { signal } = {}) => call({ method: "POST", path: root, json, signal }),
    list: (options) => recordsOfPages(LIST_PAGE_SIZE, (part) => page(part, options)),
    get: async (name, { signal } = {}) => call({ method: "GET", path: root + route(name), signal }),
    update: async (name, json, { signal } = {}) => call({ method: "PUT", path: root + route(name), json, signal }),
    remove: async (name, { signal, cascade } = {}) =>
      call({ method: "DELETE", path: root + route(name), query: { cascade }, signal }),
  }
}

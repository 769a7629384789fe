import type {
  CreateFileset,
  Fileset,
  FilesetInclude,
  FilesetPage,
  FilesetSort,
  RemovedFileset,
  UpdateFileset,
} from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import { filesetRoute } from "../exchange/route.ts"
import type { PageQuery } from "./workspaces.ts"

export interface FilesetListQuery {
  /** Default `-created_at`. */
  readonly sort?: FilesetSort
  /** Text such as `purpose:"dataset" AND name~"a"`, or the JSON form as an object. */
  readonly filter?: string | Readonly<Record<string, unknown>>
}

export interface FilesetInclusion {
  /** `usage`: number of files and bytes, as last known. */
  readonly include?: readonly FilesetInclude[]
}

export interface FilesetRemoval {
  /** Whether the trash does not keep it. Default false. */
  readonly permanent?: boolean | undefined
}

export interface Filesets {
  create(workspace: string, body: CreateFileset, options?: CallOptions): Promise<Fileset>
  /** Returns one page. Default `page_size` 10, from 1 to 100. The workspace `-` means all that the caller may see. */
  page(
    workspace: string,
    query?: FilesetListQuery & PageQuery & FilesetInclusion,
    options?: CallOptions,
  ): Promise<FilesetPage>
  list(
    workspace: string,
    query?: FilesetListQuery & FilesetInclusion,
    options?: CallOptions,
  ): AsyncGenerator<Fileset, void, undefined>
  get(workspace: string, name: string, options?: CallOptions & FilesetInclusion): Promise<Fileset>
  update(workspace: string, name: string, body: UpdateFileset, options?: CallOptions): Promise<Fileset>
  /**
   * Removes a fileset and returns its record. If its bytes are on the server's default storage, they are removed too. Until
   * `restorable_until` it can be restored, see `trash`.
   */
  remove(workspace: string, name: string, options?: CallOptions & FilesetRemoval): Promise<RemovedFileset>
}

const LIST_PAGE_SIZE = 100

export function createFilesets(call: CallJson): Filesets {
  const page: Filesets["page"] = async (workspace, { filter, include, ...query } = {}, { signal } = {}) => {
    const written = typeof filter === "object" ? JSON.stringify(filter) : filter
    return call({
      method: "GET",
      path: filesetRoute(workspace),
      query: { ...query, filter: written, include: include?.join(",") },
      signal,
    })
  }
  return {
    page,
    create: async (workspace, json, { signal } = {}) =>
      call({ method: "POST", path: filesetRoute(workspace), json, signal }),
    list: (workspace, query, options) =>
      recordsOfPages(LIST_PAGE_SIZE, (part) => page(workspace, { ...query, ...part }, options)),
    get: async (workspace, name, { include, signal } = {}) =>
      call({ method: "GET", path: filesetRoute(workspace, name), query: { include: include?.join(",") }, signal }),
    update: async (workspace, name, json, { signal } = {}) =>
      call({ method: "PATCH", path: filesetRoute(workspace, name), json, signal }),
    remove: async (workspace, name, { permanent, signal } = {}) =>
      call({ method: "DELETE", path: filesetRoute(workspace, name), query: { permanent }, signal }),
  }
}

import type { FilesetCache } from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { filesetRoute } from "../exchange/route.ts"

/** What filesets on remote storage have in the server's read cache. */
export interface Caches {
  /** How far the last warm-up is, or where it ended. */
  get(workspace: string, fileset: string, options?: CallOptions): Promise<FilesetCache>
  /**
   * Has all files brought into the cache in the background, unless that is under way already.
   * @throws `method_not_allowed` for a fileset that is not cached
   */
  warm(workspace: string, fileset: string, options?: CallOptions): Promise<FilesetCache>
  /** Drops what is cached of the fileset, also for others that hold the same files. */
  drop(workspace: string, fileset: string, options?: CallOptions): Promise<FilesetCache>
}

export function createCaches(call: CallJson): Caches {
  const path = (workspace: string, fileset: string) => filesetRoute(workspace, fileset, "cache")
  return {
    get: async (workspace, fileset, { signal } = {}) => call({ method: "GET", path: path(workspace, fileset), signal }),
    warm: async (workspace, fileset, { signal } = {}) =>
      call({ method: "POST", path: path(workspace, fileset), signal }),
    drop: async (workspace, fileset, { signal } = {}) =>
      call({ method: "DELETE", path: path(workspace, fileset), signal }),
  }
}

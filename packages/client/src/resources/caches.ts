import type { FilesetCache } from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { filesetRoute } from "../exchange/route.ts"

/** The server's read cache of filesets on remote storage. */
export interface Caches {
  /** Returns the progress of the last warm-up, or how it ended. */
  get(workspace: string, fileset: string, options?: CallOptions): Promise<FilesetCache>
  /**
   * Starts to copy all files into the cache in the background, unless that is running already.
   * @throws `method_not_allowed` for a fileset that is not cached
   */
  warm(workspace: string, fileset: string, options?: CallOptions): Promise<FilesetCache>
  /** Removes the cached files of the fileset, also for other filesets with the same files. */
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

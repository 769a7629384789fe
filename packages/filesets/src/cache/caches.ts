import type { FilesetCache } from "@assay/schemas"
import type { Abortable } from "@assay/database"

/** The read cache of filesets on remote storage. */
export interface Caches {
  /** Returns the progress or the result of the last warm-up. */
  get(workspace: string, fileset: string): Promise<FilesetCache>
  /**
   * Starts to bring all files into the cache in the background, unless this is running already.
   * @throws `method_not_allowed` for a fileset that is not cached
   */
  warm(workspace: string, fileset: string): Promise<FilesetCache>
  /** Ends the warm-up, and removes the fileset's files from the cache, also for other filesets with the same files. */
  drop(workspace: string, fileset: string, options?: Abortable): Promise<FilesetCache>
}

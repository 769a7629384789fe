import type { Queries } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"
import type { FilesetRow } from "../fileset-row.ts"
import { deleteDropped, dropOfWorkspace } from "./drop-trash.ts"
import { removeFilesets, type FilesetSelect, type Removed, type RemoveOptions } from "./remove-filesets.ts"
import { restoreIn, settleRestored, type RestoreAddress } from "./restore-fileset.ts"

/** Removes and restores filesets in one transaction with other records: those of a workspace or of a job. */
export interface FilesetRemoval {
  /** Removes the filesets that `pick` selects, all or none. */
  remove<T = undefined>(
    pick: (filesets: FilesetSelect) => FilesetSelect,
    options: RemoveOptions<T>,
  ): Promise<Removed<T>>
  /** Makes a removed fileset again. If the transaction fails, `settleRestored` follows it. @throws `not_found` */
  restoreIn(queries: Queries, address: RestoreAddress): Promise<FilesetRow>
  /** Moves the files of a fileset into the trash again if its restoration did not end. */
  settleRestored(id: string): Promise<void>
  /**
   * Takes all removed filesets of a workspace out of the trash, in the transaction that removes it. Returns the function that deletes their
   * files, which comes after the transaction.
   */
  dropOfWorkspace(queries: Queries, workspace: string): Promise<() => void>
}

export function createFilesetRemoval(context: FilesetsContext): FilesetRemoval {
  return {
    remove: (pick, options) => removeFilesets(context, pick, options),
    restoreIn: (queries, address) => restoreIn(queries, context, address),
    settleRestored: (id) => settleRestored(context, id),
    async dropOfWorkspace(queries, workspace) {
      const dropped = await dropOfWorkspace(queries, context, workspace)
      return () => deleteDropped(context, dropped)
    },
  }
}

import { setImmediate } from "node:timers/promises"
import type { DatasetMetadata, ProfileColumn, RowProfile } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import { openRows } from "../reading/open-rows.ts"
import { listRowFiles } from "../reading/list-row-files.ts"
import { createColumnTree } from "./column-tree.ts"

export interface ProfileRowsOptions {
  readonly storage: Storage
  /** Its schemas tell what the fields of CSV stand for. */
  readonly metadata?: DatasetMetadata | undefined
  /** A file, or a folder with all below it. Default: every file. */
  readonly path?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * What the rows of a fileset are like, column by column, over all files. Memory is bounded, whatever the rows are: columns
 * beyond 1000 are left out, and of columns with more than 1000 different values some figures are estimates, and say so.
 * @throws `not_found`, `not_a_row_file`, what the storage throws, or the reason of `signal`
 */
export async function profileRows({ storage, metadata, path, signal }: ProfileRowsOptions): Promise<RowProfile> {
  const tree = createColumnTree()
  const files: RowProfile["files"] = []
  for (const file of await listRowFiles(storage, path, signal)) {
    let rows = 0
    let unreadable = 0
    for await (const batch of openRows(storage, file.path, { metadata, numbers: "value", signal })) {
      for (const { row, fault } of batch) {
        rows++
        if (fault !== null) unreadable++
        else for (const _ of tree.add(row)) await setImmediate()
      }
    }
    files.push({ path: file.path, rows, unreadable })
  }
  const columns: ProfileColumn[] = []
  for (const some of tree.describe()) {
    columns.push(...some)
    await setImmediate()
  }
  return { files, columns, columns_truncated: tree.isTruncated() }
}

import { folderOf, storedStorageOf } from "../../storages/storage-configuration.ts"
import type { FilesetRow } from "../fileset-row.ts"

/** The beginning of the names of the folders in which runners write results. */
export const ATTEMPT = "attempt-"

/** Returns a folder of a fileset as the record of a removed fileset, so that the same worker deletes it. */
export function leftoverOf(row: FilesetRow, folder: string) {
  const { id, workspace, storage_type } = row
  const storage = JSON.stringify(storedStorageOf({ ...row, subfolder: folder }))
  return { id: `${id}/${folder}`, workspace, name: `${folderOf(row)}/${folder}`, storage_type, storage }
}

import type { StorageConfiguration } from "@assay/schemas"
import { defaultStorageOf, type DefaultStorage } from "./default-storage.ts"
import type { FilesetRow } from "./fileset-row.ts"
import { parseJson } from "./parse-json.ts"

export type StorageColumns = Pick<FilesetRow, "workspace" | "name" | "storage" | "storage_type" | "owns_bytes">

/**
 * Where the bytes of a fileset are. Those on the default storage are where that is now: a data folder can be moved with
 * all that is in it, and a bucket can get another address or other secrets. What was made on a default storage of
 * another type stays where it was made.
 * @param base the server's default storage
 */
export function storageOf(row: StorageColumns, base: DefaultStorage): StorageConfiguration {
  const isAtHome = row.owns_bytes === 1 && row.storage_type === base.type
  return isAtHome ? defaultStorageOf(base, row.workspace, row.name) : parseJson(row.storage)
}

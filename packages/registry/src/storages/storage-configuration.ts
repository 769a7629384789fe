import { type StorageConfiguration, parseSecretRef, type SecretAddress } from "@assay/schemas"
import { parseJson } from "../database/tables.ts"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import { defaultStorageOf, type DefaultStorage } from "./default-storage.ts"

export type StorageColumns = Pick<
  FilesetRow,
  "workspace" | "name" | "storage" | "storage_type" | "owns_bytes" | "subfolder" | "folder"
>

/**
 * Where the bytes of a fileset are. Those on the default storage are where that is now: a data folder can be moved with
 * all that is in it, and a bucket can get another address or other secrets. What was made on a default storage of
 * another type stays where it was made.
 * @param base the server's default storage
 */
export function storageOf(row: StorageColumns, base: DefaultStorage): StorageConfiguration {
  const isAtHome = row.owns_bytes === 1 && row.storage_type === base.type
  if (!isAtHome) return storedStorageOf(row)
  const folder = folderOf(row)
  return defaultStorageOf(base, row.workspace, row.subfolder === "" ? folder : `${folder}/${row.subfolder}`)
}

/** The folder of a fileset on the default storage, below that of its workspace: the name that it was made with, mostly. */
export function folderOf({ name, folder }: Pick<FilesetRow, "name" | "folder">): string {
  return folder === "" ? name : folder
}

/** Where the bytes of a fileset were when it was made. */
export function storedStorageOf({ storage, subfolder }: StorageColumns): StorageConfiguration {
  const stored: StorageConfiguration = parseJson(storage)
  if (subfolder === "") return stored
  if (stored.type === "local") return { ...stored, path: `${stored.path}/${subfolder}` }
  if (stored.type === "objstore") return { ...stored, prefix: `${stored.prefix ?? ""}/${subfolder}` }
  return stored
}

/** The same row with its own folder, in which all that was ever its own lies. */
export function wholeOf<Row extends StorageColumns>(row: Row): Row {
  return { ...row, subfolder: "" }
}

/** The keys of a storage configuration that hold a secret reference. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  "api_key_secret",
  "token_secret",
  "access_key_id_secret",
  "secret_access_key_secret",
])

/** The secrets that a storage configuration names, as they are found from `workspace`. */
export function secretsOfStorage(storage: StorageConfiguration, workspace: string): readonly SecretAddress[] {
  const refs = Object.entries(storage).flatMap(([key, ref]) => (SECRET_KEYS.has(key) ? [String(ref)] : []))
  return refs.map((ref) => parseSecretRef(ref, workspace))
}

/** The address that a storage configuration names; undefined for what is local or where its type says. */
export function endpointOf(storage: StorageConfiguration): string | undefined {
  if (storage.type === "catalog") return storage.host
  if (storage.type === "hub") return storage.endpoint
  return storage.type === "objstore" ? storage.endpoint_url : undefined
}

import { parseSecretRef, type SecretAddress, type StorageConfiguration } from "@assay/schemas"
import type { Selectable } from "kysely"
import { parseJson, type FilesetTable } from "../database/tables.ts"
import { defaultStorageOf, type DefaultStorage } from "./default-storage.ts"

/** The columns of a fileset that say where its bytes are. */
export type StorageColumns = Pick<
  Selectable<FilesetTable>,
  "workspace" | "name" | "storage" | "storage_type" | "owns_bytes" | "subfolder" | "folder"
>

/**
 * Returns the configuration of a fileset's storage. For a fileset on the default storage it follows from the present
 * configuration of the default storage: a data folder can be moved, and a bucket can get another address or other secrets.
 * A fileset that was made on a default storage of another type keeps its stored configuration.
 * @param base the server's default storage
 */
export function storageOf(row: StorageColumns, base: DefaultStorage): StorageConfiguration {
  const isAtHome = row.owns_bytes === 1 && row.storage_type === base.type
  if (!isAtHome) return storedStorageOf(row)
  const folder = folderOf(row)
  return defaultStorageOf(base, row.workspace, row.subfolder === "" ? folder : `${folder}/${row.subfolder}`)
}

/** Returns the folder of a fileset on the default storage, below that of its workspace. Usually it is the fileset's first name. */
export function folderOf({ name, folder }: Pick<StorageColumns, "name" | "folder">): string {
  return folder === "" ? name : folder
}

/** Returns the storage configuration that was recorded when the fileset was made. */
export function storedStorageOf({ storage, subfolder }: StorageColumns): StorageConfiguration {
  const stored: StorageConfiguration = parseJson(storage)
  if (subfolder === "") return stored
  if (stored.type === "local") return { ...stored, path: `${stored.path}/${subfolder}` }
  if (stored.type === "objstore") return { ...stored, prefix: `${stored.prefix ?? ""}/${subfolder}` }
  return stored
}

/** Returns the row with the whole folder of the fileset, which contains all its subfolders. */
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

/** Returns the secrets that a storage configuration names. References without a workspace get `workspace`. */
export function secretsOfStorage(storage: StorageConfiguration, workspace: string): readonly SecretAddress[] {
  const refs = Object.entries(storage).flatMap(([key, ref]) => (SECRET_KEYS.has(key) ? [String(ref)] : []))
  return refs.map((ref) => parseSecretRef(ref, workspace))
}

/** Returns the address that a storage configuration names. Undefined for local storage and for default addresses. */
export function endpointOf(storage: StorageConfiguration): string | undefined {
  if (storage.type === "catalog") return storage.host
  if (storage.type === "hub") return storage.endpoint
  return storage.type === "objstore" ? storage.endpoint_url : undefined
}

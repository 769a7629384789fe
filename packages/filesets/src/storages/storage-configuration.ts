import { isAbsolute } from "node:path"
import {
  AssayError,
  DEFAULT_READ_CHUNK_SIZE,
  DEFAULT_WRITE_BUFFER_SIZE,
  hasUrlUser,
  parseSecretRef,
  type LocalStorageConfiguration,
  type ObjstoreStorageConfiguration,
  type SecretAddress,
  type StorageConfiguration,
} from "@assay/schemas"
import type { Selectable } from "kysely"
import { parseJson, type FilesetTable } from "@assay/database"

/** The configuration of the server's default storage. It is writable. */
export type DefaultStorage = LocalStorageConfiguration | ObjstoreStorageConfiguration

/** Returns the configuration of a fileset's own folder on the default storage. */
export function defaultStorageOf(base: DefaultStorage, workspace: string, name: string): DefaultStorage {
  const own = `filesets/${workspace}/${name}`
  // `join` is too slow for every record of a page, and would normalise the keys of an object store.
  if (base.type === "local") return { ...base, path: `${base.path}/${own}` }
  const { prefix = "" } = base
  return { ...base, prefix: prefix === "" || prefix.endsWith("/") ? prefix + own : `${prefix}/${own}` }
}

/** The workspace of the secrets that the default storage names without a workspace. */
export const OPERATORS_WORKSPACE = "system"

/**
 * Returns a default storage with every default filled in. Secret references without a workspace get the workspace
 * `system`. The storage is not contacted, because its secrets can only be set after the server has started.
 * @throws `bad_settings`
 */
export function checkDefaultStorage(storage: StorageConfiguration): DefaultStorage {
  if (storage.type === "local") {
    if (!isAbsolute(storage.path)) throw refuse(`its path '${storage.path}' must be absolute`)
    return { read_chunk_size: DEFAULT_READ_CHUNK_SIZE, write_buffer_size: DEFAULT_WRITE_BUFFER_SIZE, ...storage }
  }
  if (storage.type !== "objstore") throw refuse(`storage of type '${storage.type}' is read-only`)
  if (hasUrlUser(storage.endpoint_url ?? "")) {
    throw refuse("its `endpoint_url` holds a user name or a password; leave them out, and name secrets")
  }
  return {
    prefix: "",
    use_sdk_auth: false,
    signature_version: "v4",
    read_chunk_size: DEFAULT_READ_CHUNK_SIZE,
    ...storage,
    ...operatorsSecrets(storage),
  }
}

function operatorsSecrets(storage: ObjstoreStorageConfiguration): Partial<ObjstoreStorageConfiguration> {
  const { use_sdk_auth = false, access_key_id_secret: id, secret_access_key_secret: key } = storage
  if ((id === undefined) !== (key === undefined)) {
    throw refuse("`access_key_id_secret` and `secret_access_key_secret` go together, and one of them is missing")
  }
  if (id === undefined || key === undefined) return {}
  if (use_sdk_auth)
    throw refuse("`use_sdk_auth` takes the machine's own rights; leave the secrets out, or set it to false")
  const inFull = (ref: string) => {
    const { workspace, name } = parseSecretRef(ref, OPERATORS_WORKSPACE)
    return `${workspace}/${name}`
  }
  return { access_key_id_secret: inFull(id), secret_access_key_secret: inFull(key) }
}

function refuse(reason: string): AssayError {
  return new AssayError("bad_settings", `The default storage can't be used: ${reason}.`)
}

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

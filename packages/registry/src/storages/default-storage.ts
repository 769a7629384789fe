import { isAbsolute } from "node:path"
import {
  AssayError,
  DEFAULT_READ_CHUNK_SIZE,
  DEFAULT_WRITE_BUFFER_SIZE,
  hasUrlUser,
  parseSecretRef,
  type LocalStorageConfiguration,
  type ObjstoreStorageConfiguration,
  type StorageConfiguration,
} from "@assay/schemas"

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

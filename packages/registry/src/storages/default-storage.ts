import { isAbsolute } from "node:path"
import {
  type LocalStorageConfiguration,
  type ObjstoreStorageConfiguration,
  AssayError,
  DEFAULT_READ_CHUNK_SIZE,
  DEFAULT_WRITE_BUFFER_SIZE,
  hasUrlUser,
  parseSecretRef,
  type StorageConfiguration,
} from "@assay/schemas"

/** The server's default storage: one that can be written. */
export type DefaultStorage = LocalStorageConfiguration | ObjstoreStorageConfiguration

/** The part of the server's default storage that is a fileset's own. */
export function defaultStorageOf(base: DefaultStorage, workspace: string, name: string): DefaultStorage {
  const own = `filesets/${workspace}/${name}`
  // Not by `join`: this stands in every record of every page, and keys of an object store are not normalised.
  if (base.type === "local") return { ...base, path: `${base.path}/${own}` }
  const { prefix = "" } = base
  return { ...base, prefix: prefix === "" || prefix.endsWith("/") ? prefix + own : `${prefix}/${own}` }
}

/** Where the operator keeps the secrets of the default storage. */
const OPERATORS_WORKSPACE = "system"

/**
 * A default storage with every default filled in, its secrets named with the workspace `system` where they name none.
 * Nobody is asked: its secrets can be set only once the server is there.
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

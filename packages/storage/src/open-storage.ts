import {
  AssayError,
  DEFAULT_READ_CHUNK_SIZE,
  DEFAULT_WRITE_BUFFER_SIZE,
  type SecretAddress,
  type StorageConfiguration,
} from "@assay/schemas"
import type { FarContext } from "./far/far-context.ts"
import { openLocalStorage, type LocalStorageOptions } from "./local/open.ts"
import { STORAGE_CAPABILITIES } from "./storage-capabilities.ts"
import type { Storage } from "./storage.ts"

/** What adapters of far backends are given besides. */
export interface FarStorageContext extends FarContext {
  /** Where secret references that name no workspace are found. */
  readonly workspace: string
  /** The value behind a reference, asked for once per open. @throws `secret_not_readable` */
  readonly resolveSecret: (secret: SecretAddress) => Promise<string>
  /** Whether `use_sdk_auth` may be followed: for the server's own default storage alone. Default false. */
  readonly allowAmbient?: boolean
}

/** What the adapters are given of the world around them. */
export interface StorageContext extends LocalStorageOptions {
  /** Needed for every type but `local`. */
  readonly far?: FarStorageContext
}

export interface OpenedStorage {
  readonly storage: Storage
  /** The configuration with every default filled in: what a record keeps. */
  readonly configuration: StorageConfiguration
}

/**
 * Opens the storage that a configuration describes.
 * @throws `storage_not_built` for a type without an adapter, `storage_not_allowed`
 */
export async function openStorage(config: StorageConfiguration, context: StorageContext = {}): Promise<OpenedStorage> {
  if (config.type === "local") {
    const defaults = { read_chunk_size: DEFAULT_READ_CHUNK_SIZE, write_buffer_size: DEFAULT_WRITE_BUFFER_SIZE }
    const configuration = { ...defaults, ...config }
    return { storage: openLocalStorage(configuration, context), configuration }
  }
  const built = Object.keys(STORAGE_CAPABILITIES).join(", ")
  const message = `Storage of type '${config.type}' can't be opened by this version; use one of: ${built}.`
  throw new AssayError("storage_not_built", message, { context: { storage: config.type } })
}

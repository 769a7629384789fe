import {
  AssayError,
  DEFAULT_READ_CHUNK_SIZE,
  DEFAULT_WRITE_BUFFER_SIZE,
  type SecretAddress,
  type StorageConfiguration,
} from "@assay/schemas"
import type { RemoteContext } from "./remote/remote-context.ts"
import { createDeadlines, withinDeadline } from "./remote/operation-deadline.ts"
import { withDeadline } from "./remote/with-deadline.ts"
import { openLocalStorage, type LocalStorageOptions } from "./local/open.ts"
import type { KnownConditions } from "./objstore/takes-condition.ts"
import type { Storage } from "./storage.ts"

/** What adapters of remote backends are given besides. */
export interface RemoteStorageContext extends RemoteContext {
  /** Where secret references that name no workspace are found. */
  readonly workspace: string
  /** The value behind a reference, asked for once per open. @throws `secret_not_readable` */
  readonly resolveSecret: (secret: SecretAddress) => Promise<string>
  /** Whether `use_sdk_auth` may be followed: for the server's own default storage alone. Default false. */
  readonly allowAmbient?: boolean
  /** What object stores were found to take, shared by all storages of a process. Default: each finds out for itself. */
  readonly knownConditions?: KnownConditions
}

/** What the adapters are given of the world around them. */
export interface StorageContext extends LocalStorageOptions {
  /** Needed for every type but `local`. */
  readonly remote?: RemoteStorageContext
  /** Ends the opening, which may have to ask a remote side what is meant. */
  readonly signal?: AbortSignal
}

export interface OpenedStorage {
  readonly storage: Storage
  /** The configuration with every default filled in: what a record keeps. */
  readonly configuration: StorageConfiguration
}

/**
 * Opens the storage that a configuration describes.
 * @throws `storage_not_allowed`, and what the adapter throws; for those that are remote also where there is no way to them
 */
export async function openStorage(config: StorageConfiguration, context: StorageContext = {}): Promise<OpenedStorage> {
  if (config.type === "local") {
    const defaults = { read_chunk_size: DEFAULT_READ_CHUNK_SIZE, write_buffer_size: DEFAULT_WRITE_BUFFER_SIZE }
    const configuration = { ...defaults, ...config }
    return { storage: openLocalStorage(configuration, context), configuration }
  }
  const { remote, signal } = context
  if (remote === undefined) {
    const message = `Storage of type '${config.type}' is far away, and nothing was given to reach it with; pass \`remote\`.`
    throw new AssayError("storage_not_allowed", message, { context: { storage: config.type } })
  }
  const deadlines = createDeadlines(config, remote)
  const opened = await withinDeadline(deadlines({ operation: "open" }, signal), (ending) =>
    openRemote(config, remote, ending),
  )
  return { ...opened, storage: withDeadline(opened.storage, deadlines) }
}

/** Adapters are loaded with the first storage of their type: it takes its time, and not every server needs each. */
async function openRemote(
  config: Exclude<StorageConfiguration, { readonly type: "local" }>,
  remote: RemoteStorageContext,
  signal: AbortSignal,
): Promise<OpenedStorage> {
  if (config.type === "catalog") {
    const { openCatalogStorage } = await import("./catalog/open.ts")
    return openCatalogStorage(config, remote, signal)
  }
  if (config.type === "hub") {
    const { openHubStorage } = await import("./hub/open.ts")
    return openHubStorage(config, remote, signal)
  }
  const { openObjstoreStorage } = await import("./objstore/open.ts")
  return openObjstoreStorage(config, remote, signal)
}

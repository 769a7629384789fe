import {
  AssayError,
  DEFAULT_READ_CHUNK_SIZE,
  DEFAULT_WRITE_BUFFER_SIZE,
  type SecretAddress,
  type StorageConfiguration,
} from "@assay/schemas"
import type { FileHistory } from "./file-history.ts"
import { openLocalStorage, type LocalStorageOptions } from "./local/open.ts"
import type { KnownConditions } from "./objstore/writing/known-conditions.ts"
import { createDeadlines, withinDeadline } from "./remote/operation-deadline.ts"
import type { RemoteContext } from "./remote/remote-context.ts"
import { withDeadline } from "./remote/with-deadline.ts"
import type { Storage } from "./storage.ts"

/** The additional options of adapters of remote backends. */
export interface RemoteStorageContext extends RemoteContext {
  /** The workspace for secret references that do not name one. */
  readonly workspace: string
  /**
   * Returns the value of a secret. Called once per open.
   * @throws `secret_not_readable`
   */
  readonly resolveSecret: (secret: SecretAddress) => Promise<string>
  /** Whether `use_sdk_auth` is allowed, which is so only for the server's own default storage. Default false. */
  readonly allowAmbient?: boolean | undefined
  /**
   * The conditions that object stores are known to support, shared by all storages of a process. Default: each storage
   * finds out itself.
   */
  readonly knownConditions?: KnownConditions | undefined
  /** Records the versions whose bytes are kept when they are replaced or deleted. Only an object store uses it. Default: none. */
  readonly history?: FileHistory | undefined
}

/** The options that adapters need from their caller. */
export interface StorageContext extends LocalStorageOptions {
  /** Required for every type except `local`. */
  readonly remote?: RemoteStorageContext | undefined
  /** Aborts the opening, which may send requests. */
  readonly signal?: AbortSignal | undefined
}

export interface OpenedStorage {
  readonly storage: Storage
  /** The configuration with all defaults filled in, as a record stores it. */
  readonly configuration: StorageConfiguration
}

/**
 * Opens the storage that a configuration describes.
 * @throws `storage_not_allowed`, also for a remote type if `remote` is missing; what the adapter throws
 */
export async function openStorage(config: StorageConfiguration, context: StorageContext = {}): Promise<OpenedStorage> {
  if (config.type === "local") {
    const defaults = { read_chunk_size: DEFAULT_READ_CHUNK_SIZE, write_buffer_size: DEFAULT_WRITE_BUFFER_SIZE }
    const configuration = { ...defaults, ...config }
    return { storage: openLocalStorage(configuration, context), configuration }
  }
  const { remote, signal } = context
  if (remote === undefined) {
    const message = `Storage of type '${config.type}' is remote; open it with the option \`remote\`.`
    throw new AssayError("storage_not_allowed", message, { context: { storage: config.type } })
  }
  const deadlines = createDeadlines(config, remote)
  const opened = await withinDeadline(deadlines({ operation: "open" }, signal), (ending) =>
    openRemote(config, { ...remote, history: context.history ?? remote.history }, ending),
  )
  return { ...opened, storage: withDeadline(opened.storage, deadlines) }
}

type RemoteConfiguration = Exclude<StorageConfiguration, { readonly type: "local" }>

async function openRemote(
  config: RemoteConfiguration,
  remote: RemoteStorageContext,
  signal: AbortSignal,
): Promise<OpenedStorage> {
  if (config.type === "catalog") return (await ADAPTERS.catalog()).openCatalogStorage(config, remote, signal)
  if (config.type === "hub") return (await ADAPTERS.hub()).openHubStorage(config, remote, signal)
  return (await ADAPTERS.objstore()).openObjstoreStorage(config, remote, signal)
}

/** Adapters are loaded when they are first needed: loading takes time, and most servers need few of them. */
const ADAPTERS = {
  local: async () => {},
  catalog: () => import("./catalog/open.ts"),
  hub: () => import("./hub/open.ts"),
  objstore: () => import("./objstore/open.ts"),
}

/** Loads the code of an adapter that will be needed, so that the first request that needs it does not wait for that. */
export async function loadAdapter(type: StorageConfiguration["type"]): Promise<void> {
  await ADAPTERS[type]()
}

/**
 * Checks that a storage can be used: its listing begins and, if it has revisions, the first byte of the first file can
 * be read, because a gated repository lists its files to everybody. A storage without files passes.
 * @throws the error of the adapter
 */
export async function probeStorage(storage: Storage, signal?: AbortSignal): Promise<void> {
  for await (const { path, size } of storage.list({ signal })) {
    if (!storage.capabilities.revisions) return
    const range = size === 0 ? undefined : ({ kind: "from", start: 0, end: 0 } as const)
    const { bytes } = await storage.read(path, { range, signal })
    const pieces = bytes[Symbol.asyncIterator]()
    await pieces.next()
    await pieces.return?.()
    return
  }
}

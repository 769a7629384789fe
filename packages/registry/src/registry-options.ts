import type { StorageConfiguration } from "@assay/schemas"
import type { RemoteContext, Transport } from "@assay/storage"
import type { ReadCacheSettings } from "./cache/open-read-cache.ts"
import type { DatabaseOptions } from "./database/open-database.ts"
import type { RegistryLog } from "./registry-context.ts"
import type { LocalRoot } from "./filesets/local-roots.ts"
import type { EncryptionKey } from "./secrets/key-ring.ts"

/** What a registry takes from the app that opens it. */
export interface RegistryOptions {
  readonly database: DatabaseOptions
  /**
   * Where filesets go that name no storage of their own, each below `filesets/{workspace}/{name}`: local or an object
   * store. When local, several servers need the same folder there. Secrets that it names without a workspace are those
   * of `system`, and `use_sdk_auth` is followed.
   */
  readonly defaultStorage: StorageConfiguration
  /**
   * Folders below which users may name local storage of their own. None: nobody may. Where roots lie in each other, the
   * innermost decides.
   */
  readonly allowedLocalRoots: readonly LocalRoot[]
  /** Folders that no local storage of users may hold or lie in, besides that of the default storage. */
  readonly reservedFolders?: readonly string[]
  /** Newest first: it seals what is new, the others open what they sealed. The same on all servers of a database. */
  readonly encryptionKeys: readonly EncryptionKey[]
  /** Where these keys come from, for messages. Default: "the encryption keys given". */
  readonly encryptionKeysPlace?: string
  /**
   * Whether a server may be at work on the same database, as for a check or a backup: nothing is made, migrated, settled
   * or cleared away then, and the encryption keys are not tried. Default false.
   */
  readonly guest?: boolean
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** A new id that begins with `prefix` and a hyphen, as in `fileset-3QJmnh8Y1kGqvS4cQKFJ2b`. */
  readonly newId: (prefix: string) => string
  /** So many bytes that nobody can guess. */
  readonly randomBytes: (count: number) => Uint8Array
  /** The way to remote backends; it decides which addresses are dialled. */
  readonly transport: Transport
  /**
   * Whether users may name this address as that of a backend. Default: any.
   * @throws `host_not_allowed`
   */
  readonly checkEndpoint?: (endpoint: string) => void
  /** From 0 to 1, for the jitter of retries. */
  readonly random: RemoteContext["random"]
  /** Waits so many milliseconds before a retry, or throws the reason of the signal. */
  readonly sleep: RemoteContext["sleep"]
  /** Longest time that an operation waits for a remote backend, retries included, in milliseconds. Default 40,000. */
  readonly backendDeadlineMs?: number
  /** Milliseconds in which the storage of a new fileset has to show that it can be used. Default 30,000. */
  readonly checkStorageMs?: number
  /** The cache of what filesets on remote storage hold, on the default storage. Default: nothing is cached, and what is cached stays. */
  readonly readCache?: ReadCacheSettings
  /** Told of what nobody waits for. Default: nobody is told. */
  readonly log?: RegistryLog
}

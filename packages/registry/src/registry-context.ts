import type { ContentChecks, RemoteContext, RemoteStorageContext, ReadCache, SystemLocks } from "@assay/storage"
import type { Background } from "./background.ts"
import type { Database } from "./database/database.ts"
import type { DefaultStorage } from "./storages/default-storage.ts"
import type { LocalRoots } from "./filesets/local-roots.ts"
import type { Removals } from "./filesets/removal/removals.ts"
import type { Trash } from "./filesets/removal/trash.ts"
import type { SecretVersions } from "./secrets/secret-access.ts"

/** Where the registry tells what it can't answer with. A pino logger is one. */
export interface RegistryLog {
  warn(context: Readonly<Record<string, unknown>>, message: string): void
  /** Told what has to be set right by hand. Default: told as a warning. */
  error?(context: Readonly<Record<string, unknown>>, message: string): void
}

/** What every part of the registry works with. */
export interface RegistryContext {
  readonly database: Database
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** A new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly log: RegistryLog
  /** Where the encryption keys come from, for messages. */
  readonly encryptionKeysPlace: string
  readonly background: Background
  /** Where filesets go that name no storage of their own, each into a folder of its own. */
  readonly defaultStorage: DefaultStorage
  /** Of the default storage, where that is local: the files of a removed fileset go there in one step. */
  readonly trash: Trash | undefined
  /** Of every other default storage. */
  readonly removals: Removals
  readonly localRoots: LocalRoots
  /** Whether other servers use the same database, and so the same local folders. */
  readonly isShared: boolean
  /** Locks of local files between servers; undefined where the default storage is no folder: each fileset has its own then. */
  readonly systemLocks: SystemLocks | undefined
  /** Compares files on local storage with their digests when they are read whole. */
  readonly contentChecks: ContentChecks
  /** What adapters of remote backends are given. */
  readonly remote: RemoteContext & Pick<RemoteStorageContext, "resolveSecret">
  readonly secretVersions: SecretVersions
  /** Undefined where nothing is cached. */
  readonly readCache: ReadCache | undefined
  /** @throws `host_not_allowed` */
  readonly checkEndpoint: (endpoint: string) => void
  /** Milliseconds in which a storage has to show that it can be used. */
  readonly checkStorageMs: number
}

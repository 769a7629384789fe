import type { Background, BackgroundLog, Database } from "@assay/database"
import type { ContentChecks, RemoteContext, RemoteStorageContext, ReadCache, SystemLocks } from "@assay/storage"
import type { SignatureChecks } from "./filesets/fileset-signature.ts"
import type { LocalRoots } from "./filesets/local-folders.ts"
import type { Removals } from "./filesets/removal/removals.ts"
import type { RemovedRecords } from "./filesets/removal/removed-records.ts"
import type { RemovedFolders } from "./filesets/removal/removed-folders.ts"
import type { SecretVersions } from "./storages/secret-rights.ts"
import type { DefaultStorage } from "./storages/storage-configuration.ts"

/** The dependencies of everything about filesets. */
export interface FilesetsContext {
  readonly database: Database
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Milliseconds since any moment, for elapsed times. */
  readonly elapsed: () => number
  /** The clock for ages that end with a removal: a jump of the machine's clock removes nothing. Milliseconds since 1970, UTC. */
  readonly steadyNow: () => number
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  readonly log: BackgroundLog
  readonly background: Background
  /** The storage of filesets that name no storage. Each has its own folder. */
  readonly defaultStorage: DefaultStorage
  /** The trash of a local default storage. The files of a removed fileset move there in one step. */
  readonly removedFolders: RemovedFolders | undefined
  /** Milliseconds for which removed filesets can be restored. 0: they are deleted at once. */
  readonly trashMs: number
  /** Deletes the files of removed filesets if there is no trash. */
  readonly removals: Removals
  /** Deletes the records of files of removed filesets. */
  readonly removedRecords: RemovedRecords
  readonly localRoots: LocalRoots
  /** Whether other servers can use the same database, and so the same local folders. */
  readonly isShared: boolean
  /** Locks of local files between servers. Undefined if the default storage is not local: then each fileset has its own. */
  readonly systemLocks: SystemLocks | undefined
  /** Compares files on local storage with their digests when they are read completely. */
  readonly contentChecks: ContentChecks
  /** The dependencies of adapters for remote backends. */
  readonly remote: RemoteContext & Pick<RemoteStorageContext, "resolveSecret" | "knownConditions">
  readonly secretVersions: SecretVersions
  /** Undefined if there is no read cache. */
  readonly readCache: ReadCache | undefined
  /** Undefined: filesets can't ask for signatures. */
  readonly signatureChecks: SignatureChecks | undefined
  /** @throws `host_not_allowed` */
  readonly checkEndpoint: (endpoint: string) => void
  /** Milliseconds that the check of a new fileset's storage may take. */
  readonly checkStorageMs: number
}

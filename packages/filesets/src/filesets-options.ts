import type { SecretAddress, StorageConfiguration } from "@assay/schemas"
import type { RemoteContext, Transport } from "@assay/storage"
import type { BackgroundLog, Database } from "@assay/database"
import type { ReadCacheSettings } from "./cache/open-read-cache.ts"
import type { SignatureChecks } from "./filesets/fileset-signature.ts"
import type { LocalRoot } from "./filesets/local-folders.ts"
import type { HistoryLimits } from "./history/kept-records.ts"
import type { SecretVersions } from "./storages/secret-rights.ts"

/** The database of the filesets, and the secrets that their storages name. */
export interface FilesetsPorts {
  readonly database: Database
  /** Whether other servers can use the same database. */
  readonly isShared: boolean
  /** Returns the value of a secret. @throws `secret_not_readable` */
  readonly resolveSecret: (secret: SecretAddress) => Promise<string>
  readonly secretVersions: SecretVersions
}

/** The options and dependencies of filesets. */
export interface FilesetsOptions {
  /**
   * The storage of filesets that name no storage: local or an object store. Each fileset is below
   * `filesets/{workspace}/{name}`. Several servers on one database need the same folder. Secrets without a workspace are
   * those of `system`, and `use_sdk_auth` is allowed.
   */
  readonly defaultStorage: StorageConfiguration
  /**
   * Folders below which users may name local storage. An empty list: users may not. If one root contains another, the
   * innermost decides.
   */
  readonly allowedLocalRoots: readonly LocalRoot[]
  /** Folders that users' local storage may not contain or be in, in addition to that of the default storage. */
  readonly reservedFolders?: readonly string[] | undefined
  /**
   * Whether a server may be using the same database, as for a check or a backup. Then the registry creates, migrates and
   * cleans up nothing, and does not try the encryption keys. Default false.
   */
  readonly guest?: boolean | undefined
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns milliseconds since any moment, for elapsed times. The clock of the machine does not change it. Default: `now`. */
  readonly elapsed?: (() => number) | undefined
  /** Returns a new id that begins with `prefix` and a hyphen, such as `fileset-3QJmnh8Y1kGqvS4cQKFJ2b`. */
  readonly newId: (prefix: string) => string
  /** Sends requests to remote backends. It decides which addresses are allowed. */
  readonly transport: Transport
  /**
   * Checks that users may name this address of a backend. Default: any address.
   * @throws `host_not_allowed`
   */
  readonly checkEndpoint?: ((endpoint: string) => void) | undefined
  /** Returns a number from 0 to 1 for the jitter of retries. */
  readonly random: RemoteContext["random"]
  /** Waits before a retry, in milliseconds, or throws the reason of the signal. */
  readonly sleep: RemoteContext["sleep"]
  /** Maximum time of an operation on a remote backend, including retries, in milliseconds. Default 40,000. */
  readonly backendDeadlineMs?: number | undefined
  /** Milliseconds that the check of a new fileset's storage may take. Default 30,000. */
  readonly checkStorageMs?: number | undefined
  /** The read cache for remote storage, on the default storage. Default: nothing is cached, and cached files are kept. */
  readonly readCache?: ReadCacheSettings | undefined
  /** The limits for replaced and deleted files that are kept. Default: nothing is kept. */
  readonly history?: HistoryLimits | undefined
  /** Milliseconds for which removed filesets can be restored. Default 0: they are deleted at once. */
  readonly trashMs?: number | undefined
  /** Verifies signatures of models. Default: filesets can't ask for them. */
  readonly signatureChecks?: SignatureChecks | undefined
  /** Receives problems that no caller waits for. Default: they are dropped. */
  readonly log?: BackgroundLog | undefined
}

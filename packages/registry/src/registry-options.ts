import type { StorageConfiguration } from "@assay/schemas"
import type { DatabaseOptions } from "./database/open-database.ts"
import type { RegistryLog } from "./registry-context.ts"
import type { EncryptionKey } from "./secrets/key-ring.ts"

/** What a registry takes from the app that opens it. */
export interface RegistryOptions {
  readonly database: DatabaseOptions
  /**
   * Where filesets go that name no storage of their own, each below `filesets/{workspace}/{name}`. When local, several
   * servers need the same folder there.
   */
  readonly defaultStorage: StorageConfiguration
  /** Folders below which users may name local storage of their own. None: nobody may. */
  readonly allowedLocalRoots: readonly string[]
  /** Newest first: it seals what is new, the others open what they sealed. The same on all servers of a database. */
  readonly encryptionKeys: readonly EncryptionKey[]
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** A new id that begins with `prefix` and a hyphen, as in `fileset-3QJmnh8Y1kGqvS4cQKFJ2b`. */
  readonly newId: (prefix: string) => string
  /** So many bytes that nobody can guess. */
  readonly randomBytes: (count: number) => Uint8Array
  /** Told of what nobody waits for. Default: nobody is told. */
  readonly log?: RegistryLog
}

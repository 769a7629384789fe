import type { DatabaseOptions } from "@assay/database"
import type { FilesetsOptions } from "@assay/filesets"
import type { EncryptionKey } from "./secrets/envelope.ts"

/** The options and dependencies of a registry. */
export interface RegistryOptions extends FilesetsOptions {
  readonly database: DatabaseOptions
  /** Newest first. The newest seals new values, the others unseal old ones. All servers of a database need the same keys. */
  readonly encryptionKeys: readonly EncryptionKey[]
  /** The source of these keys, for messages. Default: "the encryption keys given". */
  readonly encryptionKeysSource?: string | undefined
  /** Whether missing migrations are run. Without them, the database must have the newest schema. Default true. */
  readonly isMigrated?: boolean | undefined
  /** Returns cryptographically secure random bytes. */
  readonly randomBytes: (count: number) => Uint8Array
}

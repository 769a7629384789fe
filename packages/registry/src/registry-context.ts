import type { FilesetsContext } from "@assay/filesets"

/** The dependencies of all parts of the registry. */
export interface RegistryContext extends FilesetsContext {
  /** The source of the encryption keys, for messages. */
  readonly encryptionKeysSource: string
}

import type { StorageCapabilities, Storage } from "../storage.ts"

/** A new storage for one test. */
export interface ContractSubject {
  readonly storage: Storage
  /** Maximum number of bytes in a piece. Keep it to a few thousand, because the suite reads files of many pieces. */
  readonly readChunkSize: number
  /** Changes the bytes of a file behind the storage's back, without changing their number. */
  readonly tamper?: (path: string) => Promise<void>
  /** Returns how many files or connections its reads hold open. */
  readonly countOpenReads?: () => Promise<number>
  close(): Promise<void>
}

export interface StorageContract {
  /** The expected capabilities of the storage. They decide what the suite checks. */
  readonly capabilities: StorageCapabilities
  /** Whether the server supports conditions, if `conditionalWrite` depends on it. Default true. */
  readonly takesConditions?: boolean
  /** Whether a started read may continue with the old bytes of a replaced file to its end. Default false. */
  readonly mayReadOldBytes?: boolean
  /**
   * Whether the server is slow. Then the suite sends fewer requests: not a thousand, and one per name in a folder.
   * Default false.
   */
  readonly isSlow?: boolean
  /** Whether a read may miss a file that is being replaced, as on Swift, which deletes the older version separately. */
  readonly mayMissReplaced?: boolean
  /** Opens a storage that holds exactly these files. */
  open(files: Readonly<Record<string, Uint8Array>>): Promise<ContractSubject>
}

import type { StorageCapabilities, Storage } from "../storage.ts"

/** One storage under test, fresh for one test. */
export interface ContractSubject {
  readonly storage: Storage
  /** Bytes that no piece may exceed. Keep it small, a few thousand: the suite reads files of many pieces. */
  readonly readChunkSize: number
  /** Changes the bytes of a file where they lie, behind the storage's back, without changing how many there are. */
  readonly tamper?: (path: string) => Promise<void>
  /** How many files or connections its reads hold open now. */
  readonly countOpenReads?: () => Promise<number>
  close(): Promise<void>
}

export interface StorageContract {
  /** What the storage is expected to say of itself; the suite checks the rest accordingly. */
  readonly capabilities: StorageCapabilities
  /** Where `conditionalWrite` depends on the server: whether this one turns out to have it. Default true. */
  readonly takesConditions?: boolean
  /** Whether a read that has begun may go on with the bytes that the file had then, to its end. Default false. */
  readonly mayReadOldBytes?: boolean
  /** Whether the server is so slow that what takes a thousand requests is left out. Default false. */
  readonly isSlow?: boolean
  /** Whether a read may not find a file that is being replaced, as on Swift, which deletes the older version by itself. */
  readonly mayMissReplaced?: boolean
  /** Opens a storage that holds these files and no other. */
  open(files: Readonly<Record<string, Uint8Array>>): Promise<ContractSubject>
}

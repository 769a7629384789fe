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
  /** Opens a storage that holds these files and no other. */
  open(files: Readonly<Record<string, Uint8Array>>): Promise<ContractSubject>
}

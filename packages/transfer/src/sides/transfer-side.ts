/** One file of a side. Its bytes are those of one version: reading fails once they have changed. */
export interface TransferFile {
  readonly path: string
  readonly size: number
  /** Another text for every other version of the file, so that what was begun can be gone on with. */
  readonly version: string
  /** SHA-256 in lower-case hex; null where it can't be told without a transfer. */
  sha256(signal: AbortSignal): Promise<string | null>
  /** The bytes from `start` up to, not including, `end`. */
  piece(start: number, end: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>
  /** The bytes from `start` to the last one. */
  stream(start: number, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Where files come from or go to: a folder of this machine, or a fileset. */
export interface TransferSide {
  /** As a person wrote it. */
  readonly name: string
  /** How a person writes one file of it. */
  placeOf(path: string): string
  /** Every file in code-point order of its path. */
  list(signal: AbortSignal): AsyncIterable<TransferFile>
  /** The file as it is now. @throws `not_found` */
  find(path: string, signal: AbortSignal): Promise<TransferFile>
  /** Takes a file whole, checked against its digest, or leaves what is there. `onBytes` counts as bytes arrive. */
  write(file: TransferFile, onBytes: (count: number) => void, signal: AbortSignal): Promise<void>
  /** Finds out without a change whether `write` would refuse the file. @throws what `write` would throw */
  tryWrite(file: TransferFile, signal: AbortSignal): Promise<void>
  /** Answers whether a file was there and went. */
  remove(path: string, signal: AbortSignal): Promise<boolean>
  /** Whether the side is there at all. @throws `server_unreachable` */
  check(signal: AbortSignal): Promise<void>
  /** Puts down what is kept for later, when everything has arrived (`complete`) or not. */
  close(complete: boolean): Promise<void>
}

/** Files up to this size are read whole. */
export const SMALL_FILE_BYTES = 1_048_576

/** Files from this size on are sent and fetched so that a later run goes on where this one was broken off. */
export const LARGE_FILE_BYTES = 67_108_864

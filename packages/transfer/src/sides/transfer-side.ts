/** One file of a side. All of its bytes are of one version: reading fails if they have changed. */
export interface TransferFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Differs between two versions of the file, so that an interrupted transfer resumes with the same version only. */
  readonly version: string
  /** Returns the SHA-256 in lower-case hex; null if it is not known without a transfer. */
  sha256(signal: AbortSignal): Promise<string | null>
  /** Reads the bytes from `start` to `end`, exclusive. */
  piece(start: number, end: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>
  /** Streams the bytes from `start` to the end. */
  stream(start: number, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** The source or the target of a transfer: a folder of this machine, or a fileset. */
export interface TransferSide {
  /** The side as the user wrote it. */
  readonly name: string
  /** Formats one file of the side as the user writes it. */
  locationOf(path: string): string
  /** Lists all files, ordered by the code points of their paths. */
  list(signal: AbortSignal): AsyncIterable<TransferFile>
  /** Returns the current version of a file. @throws `not_found` */
  find(path: string, signal: AbortSignal): Promise<TransferFile>
  /**
   * Stores a complete file after its digest was checked; if that fails, the old file stays. `onBytes` receives counts of bytes
   * as they arrive.
   */
  write(file: TransferFile, onBytes: (count: number) => void, signal: AbortSignal): Promise<void>
  /** Checks, without a change, whether `write` would refuse the file. @throws the errors of `write` */
  tryWrite(file: TransferFile, signal: AbortSignal): Promise<void>
  /** Deletes a file. Returns false if there is none. */
  remove(path: string, signal: AbortSignal): Promise<boolean>
  /** Checks that the side can be reached. @throws `server_unreachable` */
  check(signal: AbortSignal): Promise<void>
  /** Releases what the side holds. If the transfer is `complete`, unfinished files of earlier runs are deleted. */
  close(complete: boolean): Promise<void>
}

/** Reasons to leave an entry of a side out. Reports show these words. */
export type SkipReason = "link outside" | "broken link" | "link loop" | "special file" | "unreadable" | "odd name"

/** A file or folder that is left out of a transfer. */
export interface SkippedEntry {
  /** Path of a file, or path of a folder with a slash at its end. */
  readonly path: string
  readonly reason: SkipReason
  /** The cause, if an error was the reason. */
  readonly error?: unknown
}

/** Files of at most this many bytes are read whole. */
export const SMALL_FILE_BYTES = 1_048_576

/** A transfer of a file of at least this many bytes can be resumed by a later run. */
export const LARGE_FILE_BYTES = 67_108_864

/** Recorded data that is no longer as it was written. */
export interface Damage {
  /**
   * - `missing`: the file is recorded and not on the storage.
   * - `damaged`: the bytes differ from those that were written, although size and time are the same.
   * - `changed`: the file was replaced or cut short outside the server.
   * - `unreadable`: the storage can't read the file.
   */
  readonly kind: "missing" | "damaged" | "changed" | "unreadable"
  /** `workspace/fileset#path`, or the path of a cached file. */
  readonly place: string
  /** Says what was found and what to do. */
  readonly detail: string
}

interface IntegrityProgress {
  readonly files: number
  readonly bytes: number
  /** Number of recorded files. Files that others put there are not included. */
  readonly totalFiles: number
  readonly totalBytes: number
}

export interface CheckFilesOptions {
  readonly onDamage: (damage: Damage) => void
  readonly onProgress?: (progress: IntegrityProgress) => void
  readonly signal: AbortSignal
}

/** Numbers of checked files. */
export interface FilesChecked {
  readonly filesets: number
  readonly files: number
  readonly bytes: number
  /** Files without a recorded digest. They are readable, but can't be compared. */
  readonly unverified: number
  /** Files of the read cache among `files`. */
  readonly cached: number
  /** Former versions of files whose bytes are kept. They are not among `files`. */
  readonly kept: number
}

/** Compares the records with the stored data. It only reads, and a server may be running. */
export interface Integrity {
  /** Returns one sentence for each kind of damage in the database and its counts. */
  checkDatabase(): Promise<readonly string[]>
  /** Checks that the default storage is the one of the database. @throws `bad_settings`; the errors of the storage */
  checkStorageId(): Promise<void>
  /** Reads every file on the default storage, and what is kept of former ones, and compares the SHA-256, four at a time. */
  checkFiles(options: CheckFilesOptions): Promise<FilesChecked>
}

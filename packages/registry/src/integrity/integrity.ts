import type { UnreadableSecret } from "../secrets/unreadable-secrets.ts"

/** Something on record that is not there any more as it was written. */
export interface Damage {
  /**
   * - `missing`: a file is on record and not on the storage.
   * - `damaged`: its bytes are other ones than those that were written, though size and time are the same.
   * - `changed`: it was replaced behind the server's back, or cut short.
   * - `unreadable`: the storage fails to read it.
   */
  readonly kind: "missing" | "damaged" | "changed" | "unreadable"
  /** `workspace/fileset#path`, or the path of a cached file. */
  readonly place: string
  /** What was found, and what to do. */
  readonly detail: string
}

export interface IntegrityProgress {
  readonly files: number
  readonly bytes: number
  /** By the records; files that others put there come on top. */
  readonly totalFiles: number
  readonly totalBytes: number
}

export interface CheckFilesOptions {
  readonly onDamage: (damage: Damage) => void
  readonly onProgress?: (progress: IntegrityProgress) => void
  readonly signal: AbortSignal
}

/** How many files were looked at. */
export interface FilesChecked {
  readonly filesets: number
  readonly files: number
  readonly bytes: number
  /** Files without a digest on record: they can be read, and nothing tells whether they are what they were. */
  readonly unverified: number
  /** Files of the read cache among `files`. */
  readonly cached: number
}

/** Checks what is on record against what is there. Reads only, and works beside a running server. */
export interface Integrity {
  /** What is wrong with the database itself and with the counts in it, a sentence each. */
  checkDatabase(): Promise<readonly string[]>
  /** Reads every file on the default storage and compares its SHA-256, four at a time. */
  checkFiles(options: CheckFilesOptions): Promise<FilesChecked>
  /** The secrets that no key at hand unseals. */
  listUnreadableSecrets(): Promise<readonly UnreadableSecret[]>
}

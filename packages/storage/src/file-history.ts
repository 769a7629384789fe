import type { FilePath } from "./file-path.ts"
import type { ReadOptions, ReadResult, StoredFile } from "./storage.ts"

/** The caller who changes a file. */
export interface FileChange {
  readonly author: string
  /** The change that this one is a part of, such as a commit. Default: changes of an author that follow each other soon are one. */
  readonly id?: string | undefined
  readonly title?: string | undefined
}

/** A version of a file that is about to be replaced or deleted. */
export interface FormerFile {
  readonly file: StoredFile
  readonly isDeleted: boolean
  readonly change: FileChange | undefined
}

/** The record of a version whose bytes are kept. */
export interface KeptVersion {
  /** The name of its bytes in the folder `HISTORY_FOLDER`. */
  readonly id: string
  /** Removes the record, because the version was not replaced, or because its bytes could not be kept. Never fails. */
  cancel(why: "not changed" | "not kept"): Promise<void>
}

/**
 * Decides which versions a storage keeps when they are replaced or deleted, and records them. The record of a version is made before its
 * bytes get their second name, so that no bytes are kept without a record.
 */
export interface FileHistory {
  /** Records a version. Returns undefined if its bytes are not kept. */
  keep(former: FormerFile): Promise<KeptVersion | undefined>
  /** Waits until the disk has the records. */
  settle(): Promise<void>
  /** Notes that a file was written to a path that had none. Never fails and never waits. */
  noteNew(change: FileChange | undefined): void
  /** Takes back what `noteNew` noted, because the file was removed again with its change. */
  undoNew(change: FileChange | undefined): void
  /** Removes the last record of a version that is the file of its path again. Returns the names of bytes that nothing needs. */
  undo(path: FilePath, etag: string): Promise<readonly string[]>
}

/** The kept bytes of a storage, by the ids of their records. Only `FileHistory` names them. */
export interface KeptBytes {
  /** @throws `not_found` */
  read(id: string, options?: ReadOptions): Promise<ReadResult>
  /** Removes bytes. Missing bytes are not an error. */
  remove(id: string): Promise<void>
  list(): AsyncIterable<string>
  /** Returns the number of bytes. Undefined: they are missing. */
  size(id: string): Promise<number | undefined>
  /** Returns the absolute path of bytes on this machine. Undefined: they are elsewhere. */
  locate(id: string): string | undefined
}

/**
 * The hidden folder with the kept bytes, in the root of a storage. Its name begins like those of files that are being written, so that no
 * listing, no backup and no server of an earlier version shows it as files.
 */
export const HISTORY_FOLDER = ".assay-tmp-history"

/** Returns whether a path leads to kept bytes. */
export function isHistoryPath(path: string): boolean {
  return (
    path.startsWith(HISTORY_FOLDER) && (path.length === HISTORY_FOLDER.length || path[HISTORY_FOLDER.length] === "/")
  )
}

/** Changes of filesets: what one author did in a row, or a commit. */
export interface FileChangeTable {
  fileset_id: string
  /** 40 hex digits, like the id of a commit. */
  id: string
  /** Milliseconds since 1970, UTC, as all times here. */
  began_at: number
  ended_at: number
  /** Empty: nobody signed in. */
  author: string
  title: string
  added: number
  replaced: number
  deleted: number
  /** The commit that the change led to, if it was one. */
  commit_id: string | null
}

/** Why the bytes of a version are gone. */
export type GoneReason = "expired" | "limit" | "disk_full" | "purged" | "no_room" | "backup" | "lost"

/** Versions of files that were replaced or deleted. */
export interface KeptFileTable {
  fileset_id: string
  /** See `keptId`. Later versions have greater ids. */
  id: string
  path: string
  size: number
  /** See `RevisionFile`. */
  version: string
  sha256: string | null
  /** When the version was written. Null if the storage does not know. */
  written_at: number | null
  replaced_at: number
  /** 1: the file was deleted. 0: it was replaced. */
  is_deleted: number
  change_id: string
  /** When its bytes went. Null: they are kept. */
  gone_at: number | null
  gone_why: GoneReason | null
}

/** Names of commits. */
export interface FilesetTagTable {
  fileset_id: string
  name: string
  commit_id: string
  message: string
  created_at: number
}

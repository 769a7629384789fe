import type { FilePath } from "@assay/storage"

/** Milliseconds since 1970, UTC. */
type Moment = number

/** An upload in progress, in one stream or in parts, or an LFS object that waits for its commit. */
export interface UploadTable {
  id: string
  fileset_id: string
  workspace: string
  /** The name of the fileset when the upload began. */
  fileset: string
  /** The path of the future file. Empty for an LFS object, whose commit names the path. */
  path: FilePath | ""
  /** Bytes of the whole file. -1 for an upload in parts, whose length is known at its end. */
  length: number
  /** Required digest of the whole file, lower-case hex. For an upload in parts, the digest of the list of parts that completed it. */
  sha256: string | null
  /** Number of bytes from the start that have arrived and are durable. Parts of LFS objects are not counted. */
  received: number
  /** 1 if the file is in its fileset, or the LFS object is whole. */
  completed: number
  expires_at: Moment
  /**
   * `Upload-Metadata` as the client sent it; when an upload in parts began, in milliseconds since 1970. Null for LFS objects, and for uploads
   * that an older version began.
   */
  metadata: string | null
  /** Identifies the request that holds the upload. Empty: none does. */
  lease: string
  /** Until then, by the clock of the database, no other request takes the upload. */
  leased_until: Moment
}

/** A piece of an upload, which is a file that never changes. */
export interface UploadPieceTable {
  upload_id: string
  /** Offset of its first byte in the file. The number of the part, for an upload in parts. */
  start: number
  size: number
  path: FilePath
}

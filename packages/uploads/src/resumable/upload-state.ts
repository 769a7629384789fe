import { AssayError } from "@assay/schemas"
import type { FilePath, GrownFile } from "@assay/storage"
import { readDatabaseTime } from "@assay/database"
import { unknownUpload, type UploadRow, type UploadsContext } from "../upload-rows.ts"

/** The fileset of an upload. Callers that may write to another fileset can neither see nor finish the upload. */
export interface UploadTarget {
  readonly workspace: string
  /** The name of the fileset when the upload began. */
  readonly fileset: string
  /** During an upload, the name can pass to another fileset. */
  readonly filesetId: string
}

export interface NewUpload extends UploadTarget {
  readonly path: FilePath
  /** Bytes of the whole file. */
  readonly length: number
  /** Required digest of the whole file, lower-case hex. */
  readonly sha256: string | null
  /** `Upload-Metadata` as the client sent it. Absent in records of older versions. */
  readonly metadata?: string
}

/** An upload in progress. */
export interface UploadRecord extends NewUpload {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** The file is in its fileset, and the bytes of the upload are gone. */
  readonly completed: boolean
}

export interface UploadState {
  readonly record: UploadRecord
  readonly offset: number
}

/**
 * Receives all bytes of an upload once they have arrived, with the rights of whoever sends the current request. If they are in one file on
 * this machine, also that file, which the fileset can take over instead of the bytes.
 */
export type FinishUpload = (
  record: UploadRecord,
  bytes: AsyncIterable<Uint8Array>,
  whole: GrownFile | undefined,
) => Promise<void>

/** Returns whether a record is of a resumable upload. LFS objects have no path, and uploads in parts no length. */
export function isResumable({ path, length }: UploadRow): boolean {
  return path !== "" && length >= 0
}

/** Returns whether all bytes have arrived, and the file is not written yet. */
export function isDue({ received, length, completed }: UploadRow): boolean {
  return received === length && completed === 0
}

/** Returns what callers may know of an upload. */
export function stateOf(row: UploadRow): UploadState {
  const { id, workspace, fileset, fileset_id: filesetId, path, length, sha256, metadata } = row
  if (path === "") throw unknownUpload(id)
  return {
    record: {
      id,
      workspace,
      fileset,
      filesetId,
      path,
      length,
      sha256,
      ...(metadata === null ? {} : { metadata }),
      expiresAt: row.expires_at,
      completed: row.completed === 1,
    },
    offset: row.received,
  }
}

/** Returns the time of the clock by which uploads expire. */
export function readNow(context: UploadsContext): Promise<number> {
  return context.database.read((queries) => readDatabaseTime(queries, context))
}

/** @throws `upload_gone` if an upload has expired */
export async function checkAge(context: UploadsContext, { id, expires_at }: UploadRow): Promise<void> {
  if (expires_at > (await readNow(context))) return
  throw new AssayError("upload_gone", `Upload '${id}' has expired; start a new one.`)
}

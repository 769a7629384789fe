import { AssayError } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import { listPieces, type StoredPiece, type UploadRow, type UploadsContext } from "../upload-rows.ts"
import type { UploadTarget } from "../resumable/upload-state.ts"

/** The length of an upload in parts: it is not known before the end. No other upload has it. */
export const UNKNOWN_LENGTH = -1

/** A part that has arrived. Its piece is stored under its number. */
export interface UploadPart {
  readonly number: number
  readonly size: number
  /** Without quotes. It has a hyphen, and each time that the part is sent it is another one. */
  readonly etag: string
}

/** An upload in parts that is in progress. */
export interface MultipartUpload {
  readonly id: string
  readonly path: FilePath
  /** Milliseconds since 1970. */
  readonly startedAt: number
}

/** Returns whether an upload is in parts, for a target. A fileset that was renamed continues its uploads under the new name. */
export function isMultipart(row: UploadRow | undefined, { workspace, filesetId }: UploadTarget): row is UploadRow {
  return row?.length === UNKNOWN_LENGTH && row.workspace === workspace && row.fileset_id === filesetId
}

/** Returns what callers may know of an upload. */
export function multipartOf({ id, path, metadata }: UploadRow): MultipartUpload {
  if (path === "") throw unknownMultipart(id)
  return { id, path, startedAt: Number(metadata ?? 0) }
}

export function partOf({ start, size, path }: StoredPiece): UploadPart {
  // The name of a piece is unique and says nothing else.
  return { number: start, size, etag: path.slice(path.lastIndexOf("piece-")) }
}

export async function listParts(context: UploadsContext, id: string): Promise<readonly UploadPart[]> {
  return (await listPieces(context, id)).map(partOf)
}

/** Returns the error for a request to an upload in parts that does not exist or is complete. */
export function unknownMultipart(id: string): AssayError {
  const message = `The upload '${id.slice(0, 100)}' does not exist, or it ended: it was completed, was removed or has expired. Begin a new one.`
  return new AssayError("not_found", message, { context: { upload: id } })
}

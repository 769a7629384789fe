import { AssayError } from "@assay/schemas"
import type { Queries } from "@assay/database"
import { findUpload, type UploadRow, type UploadsContext } from "../upload-rows.ts"

/** Names a pending object: its digest, within a fileset. */
export interface PendingObject {
  /** Id of the fileset. */
  readonly fileset: string
  /** Lower-case hex. */
  readonly sha256: string
}

/** A pending object whose bytes are being sent. */
export interface PendingUpload extends PendingObject {
  readonly size: number
  /** Allows its holder to send exactly these bytes, and nothing else. */
  readonly key: string
}

/** First and last byte of a part, both included. */
export interface ObjectPart {
  readonly start: number
  readonly end: number
}

/** Returns an upload. Undefined if its object is whole already: clients repeat requests that got no response. */
export async function findOpenObject(context: UploadsContext, upload: PendingUpload): Promise<UploadRow | undefined> {
  const row = await findUpload(context, upload.key)
  if (row !== undefined && isOf(row, upload)) return row.completed === 1 ? undefined : row
  if ((await findWholeObject(context, upload)) !== undefined) return undefined
  const message = `The upload of object ${upload.sha256} does not exist or has expired; ask the batch API for a new one.`
  throw new AssayError("not_found", message)
}

export async function findWholeObject(context: UploadsContext, object: PendingObject): Promise<UploadRow | undefined> {
  return context.database.read((queries) => selectWholeObjects(queries, object).limit(1).executeTakeFirst())
}

/** Returns the query for the records of a whole object. Several clients may have sent it. */
export function selectWholeObjects(queries: Queries, { fileset, sha256 }: PendingObject) {
  return queries
    .selectFrom("uploads")
    .selectAll()
    .where((upload) => upload.and({ fileset_id: fileset, sha256, path: "", completed: 1 }))
    .orderBy("expires_at", "desc")
}

function isOf({ fileset_id, sha256, length }: UploadRow, upload: PendingUpload): boolean {
  return fileset_id === upload.fileset && sha256 === upload.sha256 && length === upload.size
}

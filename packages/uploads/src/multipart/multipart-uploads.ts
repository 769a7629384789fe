import type { FilePath } from "@assay/storage"
import { readDatabaseTime } from "@assay/database"
import { holdUpload } from "../upload-lease.ts"
import { addUpload, findUpload, removeUpload, type UploadsContext } from "../upload-rows.ts"
import { checkAge, readNow, type UploadTarget } from "../resumable/upload-state.ts"
import { completeParts, type FinishMultipart } from "./complete-parts.ts"
import {
  isMultipart,
  listParts,
  multipartOf,
  UNKNOWN_LENGTH,
  unknownMultipart,
  type MultipartUpload,
  type UploadPart,
} from "./multipart-rows.ts"
import { receivePart, type NewPart } from "./receive-part.ts"

/** Uploads whose parts come in any order, also at the same time, and are joined at the end. */
export interface MultipartUploads {
  /** Begins an upload. @throws `disk_full` */
  start(to: UploadTarget, path: FilePath): Promise<MultipartUpload>
  /**
   * Writes a part. A part with a known number replaces it.
   * @throws `not_found`, `upload_gone`, `too_large`, `checksum_mismatch`, `disk_full`
   */
  putPart(id: string, to: UploadTarget, part: NewPart): Promise<UploadPart>
  /** Returns an upload in progress, and its parts in the order of their numbers. @throws `not_found` */
  get(
    id: string,
    to: UploadTarget,
  ): Promise<{ readonly upload: MultipartUpload; readonly parts: readonly UploadPart[] }>
  /** Lists at most 10,000 uploads to a fileset that are in progress, in no order. */
  list(to: UploadTarget): Promise<readonly MultipartUpload[]>
  /**
   * Makes a file of the named parts. If an earlier request has done it with the same parts, does nothing: clients repeat requests that got no response.
   * @throws `not_found`; `bad_upload` if a part is missing or another one, or other parts completed it; `upload_locked`; the errors of `finish`, which leave the upload
   */
  complete(
    id: string,
    options: {
      readonly to: UploadTarget
      readonly parts: readonly Pick<UploadPart, "number" | "etag">[]
      readonly finish: FinishMultipart
    },
  ): Promise<MultipartUpload>
  /** Removes an upload with its parts. @throws `not_found`, `upload_locked` */
  remove(id: string, to: UploadTarget): Promise<void>
}

const MAX_LISTED = 10_000

/** Opens the uploads in parts of a database. A part is a piece that never changes, like a part of a pending object. */
export function openMultipartUploads(context: UploadsContext): MultipartUploads {
  return {
    async start({ workspace, fileset, filesetId }, path) {
      const id = context.newId("upload")
      const metadata = String(await readNow(context))
      const names = { workspace, fileset, fileset_id: filesetId, path, sha256: null, metadata }
      return multipartOf(await addUpload(context, { id, ...names, length: UNKNOWN_LENGTH }, { durable: true }))
    },
    putPart: (id, to, part) => receivePart(context, id, to, part),
    async get(id, to) {
      const row = await findUpload(context, id)
      if (!isMultipart(row, to) || row.completed === 1) throw unknownMultipart(id)
      await checkAge(context, row)
      return { upload: multipartOf(row), parts: await listParts(context, id) }
    },
    async list({ workspace, filesetId }) {
      const rows = await context.database.read(async (queries) => {
        const now = await readDatabaseTime(queries, context)
        return queries
          .selectFrom("uploads")
          .selectAll()
          .where((upload) => upload.and({ fileset_id: filesetId, workspace, length: UNKNOWN_LENGTH, completed: 0 }))
          .where("expires_at", ">", now)
          .limit(MAX_LISTED)
          .execute()
      })
      return rows.map(multipartOf)
    },
    complete: (id, options) => completeParts(context, id, options),
    async remove(id, to) {
      if (!isMultipart(await findUpload(context, id), to)) throw unknownMultipart(id)
      await holdUpload(context, id, async ({ row }) => {
        if (row.completed === 1) throw unknownMultipart(id)
        await removeUpload(context, id)
      })
    },
  }
}

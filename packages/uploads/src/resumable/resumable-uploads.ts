import { AssayError } from "@assay/schemas"
import { completeUpload, settleUpload } from "./finish-upload.ts"
import { receivePiece, type UploadPiece } from "./receive-piece.ts"
import { holdUpload } from "../upload-lease.ts"
import {
  addUpload,
  findUpload,
  removeUpload,
  unknownUpload,
  type UploadRow,
  type UploadsContext,
} from "../upload-rows.ts"
import {
  checkAge,
  isDue,
  isResumable,
  readNow,
  stateOf,
  type FinishUpload,
  type NewUpload,
  type UploadState,
  type UploadTarget,
} from "./upload-state.ts"

/** Resumable uploads. */
export interface UploadStore {
  /** Starts an upload. @throws `disk_full`, and keeps nothing of the upload then */
  create(upload: NewUpload, finish: FinishUpload): Promise<UploadState>
  /**
   * Returns an upload to this fileset. If all bytes arrived before a server was lost, finishes it first.
   * @throws `not_found`, `upload_gone`
   */
  get(id: string, to: UploadTarget, finish: FinishUpload): Promise<UploadState>
  /**
   * Appends a piece, and finishes the upload after the last byte.
   * @throws `upload_offset`, `upload_locked`, `upload_checksum`
   */
  append(id: string, piece: UploadPiece, finish: FinishUpload): Promise<UploadState>
  /**
   * Stores the required digest of the whole file, for a client that computes it while it sends. The last byte must come afterwards.
   * @throws `not_found`; `bad_upload` if the upload has another digest
   */
  announce(id: string, to: UploadTarget, sha256: string): Promise<void>
  remove(id: string): Promise<void>
}

/**
 * Opens the uploads in progress of a database. Their bytes are pieces, and their records are in the database. If servers share the
 * database, the server that gets a request continues the upload, whichever server had it before. The offset is the end of the last
 * piece that is in the database.
 */
export function openUploadStore(context: UploadsContext): UploadStore {
  return {
    async create({ workspace, fileset, filesetId, path, length, sha256, metadata = null }, finish) {
      const id = context.newId("upload")
      const row = { id, workspace, fileset, fileset_id: filesetId, path, length, sha256, metadata }
      const added = await addUpload(context, row, { durable: true })
      if (length > 0) return stateOf(added)
      return holdUpload(context, id, (held) => settleUpload(context, held, finish))
    },
    async get(id, to, finish) {
      const row = await findUpload(context, id)
      if (row === undefined || !isResumable(row) || !isFor(row, to)) throw unknownUpload(id)
      await checkAge(context, row)
      if (!isDue(row) || row.leased_until > (await readNow(context))) return stateOf(row)
      return holdUpload(context, id, (held) => settleUpload(context, held, finish))
    },
    append: (id, piece, finish) =>
      holdUpload(context, id, async (held) => {
        const before = await settleUpload(context, held, finish)
        if (before.offset !== piece.offset) {
          throw new AssayError(
            "upload_offset",
            `Upload-Offset ${piece.offset} is not the offset of the upload, which is ${before.offset}.`,
          )
        }
        if (before.record.completed) return before
        const { row, whole } = await receivePiece(context, held, piece)
        return isDue(row) ? completeUpload(context, { ...held, row, whole }, finish) : stateOf(row)
      }),
    async announce(id, to, sha256) {
      const row = await findUpload(context, id)
      if (row === undefined || !isResumable(row) || !isFor(row, to)) throw unknownUpload(id)
      if (await setDigest(context, id, sha256)) return
      const message = `Upload '${id}' has another digest of the whole file, or its last byte has arrived.`
      throw new AssayError("bad_upload", message)
    },
    remove: (id) =>
      holdUpload(context, id, async ({ row }) => {
        if (!isResumable(row)) throw unknownUpload(id)
        await removeUpload(context, id)
      }),
  }
}

/**
 * Sets the digest of an upload whose last byte has not been recorded. A power failure can undo it, and then undoes the record of the last
 * byte too, which comes later. Returns false if the upload has another digest.
 */
async function setDigest({ database }: UploadsContext, id: string, sha256: string): Promise<boolean> {
  const row = await database.write(
    (queries) =>
      queries
        .updateTable("uploads")
        .set({ sha256 })
        .where((upload) => upload.and({ id, completed: 0 }))
        .where((upload) => upload.or([upload("sha256", "is", null), upload("sha256", "=", sha256)]))
        .whereRef("received", "<", "length")
        .returning("id")
        .executeTakeFirst(),
    { durable: false, small: true, isSingle: true },
  )
  return row !== undefined
}

/** Returns whether an upload is for a target. A fileset that was renamed continues its uploads under the new name. */
function isFor(row: UploadRow, { workspace, filesetId }: UploadTarget): boolean {
  return row.workspace === workspace && row.fileset_id === filesetId
}

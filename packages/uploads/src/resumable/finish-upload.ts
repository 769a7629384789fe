import { isAssayError } from "@assay/schemas"
import type { GrownFile } from "@assay/storage"
import { areWhole, readPieces } from "../pieces/read-pieces.ts"
import { NO_LEASE, type HeldUpload } from "../upload-lease.ts"
import {
  bytesGone,
  deletePieces,
  dropPieces,
  listPieces,
  removeUpload,
  unknownUpload,
  type UploadsContext,
} from "../upload-rows.ts"
import { checkAge, isDue, isResumable, stateOf, type FinishUpload, type UploadState } from "./upload-state.ts"

interface DueUpload extends HeldUpload {
  /** A file with all bytes, to which this request has just written the last one. */
  readonly whole?: GrownFile | undefined
}

/** Turns an upload whose bytes have all arrived into its file. */
export async function completeUpload(
  context: UploadsContext,
  { row, change, whole }: DueUpload,
  finish: FinishUpload,
): Promise<UploadState> {
  const storage = await context.pieces.open()
  const pieces = await listPieces(context, row.id)
  if (!areWhole(pieces, row.length)) throw bytesGone(row.id)
  try {
    const bytes = readPieces(storage, row.id, pieces, { start: 0, end: row.length - 1 })
    await finish(stateOf(row).record, bytes, whole)
  } catch (error) {
    // Bytes that can never become the file are removed. After `disk_full`, the client can continue later.
    if (isAssayError(error, "checksum_mismatch") || isAssayError(error, "invalid_request"))
      await removeUpload(context, row.id)
    throw error
  }
  // The file is in its fileset, which is what the client asked for, also if the note of it fails.
  const noted = await change({
    set: { completed: 1, received: row.length, ...NO_LEASE },
    pieces: (queries) => dropPieces(queries, row.id, 0),
  }).catch((error: unknown) => {
    if (isAssayError(error, "upload_locked")) throw error
    return { row: { ...row, completed: 1 } }
  })
  // Without its pieces, a later request does not write the file again.
  await deletePieces(
    storage,
    pieces.map(({ path }) => path),
  )
  return stateOf(noted.row)
}

/** Returns the state of an upload. If all bytes arrived before a server was lost, finishes it first. */
export async function settleUpload(
  context: UploadsContext,
  held: HeldUpload,
  finish: FinishUpload,
): Promise<UploadState> {
  if (!isResumable(held.row)) throw unknownUpload(held.row.id)
  await checkAge(context, held.row)
  return isDue(held.row) ? completeUpload(context, held, finish) : stateOf(held.row)
}

import { AssayError, isAssayError } from "@assay/schemas"
import { newPiecePath } from "./piece-storage.ts"
import type { PieceChecksum } from "./tus-headers.ts"
import type { HeldUpload } from "./upload-lease.ts"
import {
  addPieces,
  deletePieces,
  dropPieces,
  timeAfter,
  type StoredPiece,
  type UploadRow,
  type UploadsContext,
} from "./upload-rows.ts"
import { writePieces } from "./write-pieces.ts"

export interface UploadPiece {
  readonly offset: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly checksum?: PieceChecksum | undefined
}

/** Receives a piece of a client. Its bytes count as they arrive, or after its checksum was compared if it has one. */
export async function receivePiece(
  context: UploadsContext,
  held: HeldUpload,
  { offset, bytes, checksum }: UploadPiece,
): Promise<UploadRow> {
  const { row } = held
  const source = { offset, limit: row.length, bytes: hashed(bytes, checksum?.hash), now: context.now }
  const written: StoredPiece[] = []
  let received = row
  try {
    const storage = await context.pieces.open()
    for await (const piece of writePieces(storage, { ...source, pathOf: () => newPiecePath(context, row.id) })) {
      written.push(piece)
      if (checksum === undefined) received = await recordPieces(context, held, [piece])
    }
    if (checksum === undefined) return received
    if (checksum.hash.digest().equals(checksum.expected)) return await recordPieces(context, held, written)
    throw new AssayError("upload_checksum", "The piece does not have the checksum in Upload-Checksum. Send it again.")
  } catch (error) {
    const isRefused = checksum !== undefined || isAssayError(error, "too_large")
    if (isRefused && !isAssayError(error, "upload_locked")) await takeBack(context, held, written)
    throw error
  }
}

/** Records pieces that are on their storage. The next change makes those of the last byte durable: it follows before the answer. */
async function recordPieces(
  context: UploadsContext,
  { row, change }: HeldUpload,
  pieces: readonly StoredPiece[],
): Promise<UploadRow> {
  const last = pieces.at(-1)
  if (last === undefined) return row
  const received = last.start + last.size
  const recorded = await change({
    set: { received, expires_at: timeAfter(context, context.lifetimeMs) },
    pieces: (queries) => addPieces(queries, row.id, pieces),
    durable: received < row.length,
  })
  return recorded.row
}

/** Undoes a request: removes its pieces, so that the upload continues where the request began. */
async function takeBack(
  context: UploadsContext,
  { row, change }: HeldUpload,
  pieces: readonly StoredPiece[],
): Promise<void> {
  await change({
    set: { received: row.received },
    pieces: (queries) => dropPieces(queries, row.id, row.received),
  })
  await deletePieces(
    await context.pieces.open(),
    pieces.map(({ path }) => path),
  )
}

async function* hashed(
  bytes: AsyncIterable<Uint8Array>,
  hash: { update(part: Uint8Array): unknown } | undefined,
): AsyncGenerator<Uint8Array, void> {
  for await (const part of bytes) {
    hash?.update(part)
    yield part
  }
}

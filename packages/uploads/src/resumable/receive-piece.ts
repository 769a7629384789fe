import { AssayError, isAssayError } from "@assay/schemas"
import type { GrownFile } from "@assay/storage"
import { newPiecePath } from "../pieces/piece-storage.ts"
import type { PieceChecksum } from "./tus-headers.ts"
import type { HeldUpload } from "../upload-lease.ts"
import {
  addPieces,
  deletePieces,
  dropPieces,
  timeAfter,
  type StoredPiece,
  type UploadRow,
  type UploadsContext,
} from "../upload-rows.ts"
import { writePieces } from "../pieces/write-pieces.ts"

export interface UploadPiece {
  readonly offset: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly checksum?: PieceChecksum | undefined
  /** Whether nobody else uses the memory of the bytes. Default false. */
  readonly disposable?: boolean | undefined
}

export interface ReceivedPiece {
  readonly row: UploadRow
  /** A file with all bytes of the upload, if this request sent all of them. */
  readonly whole: GrownFile | undefined
}

/** Receives a piece of a client. Its bytes count as they arrive, or after its checksum was compared if it has one. */
export async function receivePiece(
  context: UploadsContext,
  held: HeldUpload,
  { offset, bytes, checksum, disposable }: UploadPiece,
): Promise<ReceivedPiece> {
  const { row } = held
  const pathOf = () => newPiecePath(context, row.id)
  const source = {
    offset,
    limit: row.length,
    bytes: hashed(bytes, checksum?.hash),
    disposable,
    now: context.now,
    pathOf,
  }
  const written = new Map<number, StoredPiece>()
  let received = row
  try {
    const last = await writePieces(await context.pieces.open(), source, async (piece) => {
      written.set(piece.start, piece)
      if (checksum === undefined) received = await recordPieces(context, held, [piece])
    })
    if (checksum !== undefined) {
      if (!checksum.hash.digest().equals(checksum.expected)) throw wrongChecksum()
      received = await recordPieces(context, held, [...written.values()])
    }
    return { row: received, whole: last?.size === row.length ? last.grown : undefined }
  } catch (error) {
    const isRefused = checksum !== undefined || isAssayError(error, "too_large")
    if (isRefused && !isAssayError(error, "upload_locked")) await takeBack(context, held, [...written.values()])
    throw error
  }
}

function wrongChecksum(): AssayError {
  return new AssayError("upload_checksum", "The piece does not have the checksum in Upload-Checksum. Send it again.")
}

/**
 * Records pieces that are on their storage, or that have grown there. The next change makes those of the last byte durable: it follows
 * before the answer.
 */
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

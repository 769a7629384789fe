import { AssayError, isAssayError } from "@assay/schemas"
import { parseFilePath, type FilePath } from "@assay/storage"
import { readDatabaseTime } from "../database/clock.ts"
import { newPiecePath } from "./piece-storage.ts"
import { areWhole, readPieces } from "./read-pieces.ts"
import type { PieceChecksum } from "./tus-headers.ts"
import { holdUpload, NO_LEASE, type HeldUpload } from "./upload-lease.ts"
import {
  addPieces,
  addUpload,
  bytesGone,
  deletePieces,
  dropPieces,
  findUpload,
  listPieces,
  removeUpload,
  timeAfter,
  unknownUpload,
  type StoredPiece,
  type UploadRow,
  type UploadsContext,
} from "./upload-rows.ts"
import { writePieces } from "./write-pieces.ts"

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

/** Receives all bytes of an upload once they have arrived, with the rights of whoever sends the current request. */
export type FinishUpload = (record: UploadRecord, bytes: AsyncIterable<Uint8Array>) => Promise<void>

export interface UploadPiece {
  readonly offset: number
  readonly bytes: AsyncIterable<Uint8Array>
  readonly checksum?: PieceChecksum | undefined
}

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
  remove(id: string): Promise<void>
}

/**
 * Opens the uploads in progress of a database. Their bytes are pieces, and their records are in the database. If servers share the
 * database, the server that gets a request continues the upload, whichever server had it before. The offset is the end of the last
 * piece that is in the database.
 */
export function openUploadStore(context: UploadsContext): UploadStore {
  const { database, newId, lifetimeMs } = context
  const databaseNow = () => database.read((queries) => readDatabaseTime(queries, context))
  const expiry = () => timeAfter(context, lifetimeMs)

  async function checkAge({ id, expires_at }: UploadRow): Promise<void> {
    if (expires_at > (await databaseNow())) return
    throw new AssayError("upload_gone", `Upload '${id}' has expired; start a new one.`)
  }

  async function complete({ row, change }: HeldUpload, finish: FinishUpload): Promise<UploadState> {
    const storage = await context.pieces.open()
    const pieces = await listPieces(context, row.id)
    if (!areWhole(pieces, row.length)) throw bytesGone(row.id)
    try {
      await finish(stateOf(row).record, readPieces(storage, row.id, pieces, { start: 0, end: row.length - 1 }))
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
  async function settle(held: HeldUpload, finish: FinishUpload): Promise<UploadState> {
    if (!isResumable(held.row)) throw unknownUpload(held.row.id)
    await checkAge(held.row)
    return isDue(held.row) ? complete(held, finish) : stateOf(held.row)
  }

  /** Records pieces that are on their storage. The next change makes those of the last byte durable: it follows before the answer. */
  async function recordPieces({ row, change }: HeldUpload, pieces: readonly StoredPiece[]): Promise<UploadRow> {
    const last = pieces.at(-1)
    if (last === undefined) return row
    const received = last.start + last.size
    const recorded = await change({
      set: { received, expires_at: expiry() },
      pieces: (queries) => addPieces(queries, row.id, pieces),
      durable: received < row.length,
    })
    return recorded.row
  }

  /** Undoes a request: removes its pieces, so that the upload continues where the request began. */
  async function takeBack({ row, change }: HeldUpload, pieces: readonly StoredPiece[]): Promise<void> {
    await change({
      set: { received: row.received },
      pieces: (queries) => dropPieces(queries, row.id, row.received),
    })
    await deletePieces(
      await context.pieces.open(),
      pieces.map(({ path }) => path),
    )
  }

  /** Receives a piece of a client. Its bytes count as they arrive, or after its checksum was compared if it has one. */
  async function receive(held: HeldUpload, { offset, bytes, checksum }: UploadPiece): Promise<UploadRow> {
    const { row } = held
    const source = { offset, limit: row.length, bytes: hashed(bytes, checksum?.hash), now: context.now }
    const written: StoredPiece[] = []
    let received = row
    try {
      const storage = await context.pieces.open()
      for await (const piece of writePieces(storage, { ...source, pathOf: () => newPiecePath(context, row.id) })) {
        written.push(piece)
        if (checksum === undefined) received = await recordPieces(held, [piece])
      }
      if (checksum === undefined) return received
      if (checksum.hash.digest().equals(checksum.expected)) return await recordPieces(held, written)
      throw new AssayError("upload_checksum", "The piece does not have the checksum in Upload-Checksum. Send it again.")
    } catch (error) {
      const isRefused = checksum !== undefined || isAssayError(error, "too_large")
      if (isRefused && !isAssayError(error, "upload_locked")) await takeBack(held, written)
      throw error
    }
  }

  return {
    async create({ workspace, fileset, filesetId, path, length, sha256, metadata = null }, finish) {
      const id = newId("upload")
      const row = { id, workspace, fileset, fileset_id: filesetId, path, length, sha256, metadata }
      const added = await addUpload(context, row, { durable: true })
      return length === 0 ? holdUpload(context, id, (held) => settle(held, finish)) : stateOf(added)
    },
    async get(id, to, finish) {
      const row = await findUpload(context, id)
      if (row === undefined || !isResumable(row) || !isFor(row, to)) throw unknownUpload(id)
      await checkAge(row)
      if (!isDue(row) || row.leased_until > (await databaseNow())) return stateOf(row)
      return holdUpload(context, id, (held) => settle(held, finish))
    },
    append: (id, piece, finish) =>
      holdUpload(context, id, async (held) => {
        const before = await settle(held, finish)
        if (before.offset !== piece.offset) {
          throw new AssayError(
            "upload_offset",
            `Upload-Offset ${piece.offset} is not the offset of the upload, which is ${before.offset}.`,
          )
        }
        if (before.record.completed) return before
        const row = await receive(held, piece)
        return isDue(row) ? complete({ ...held, row }, finish) : stateOf(row)
      }),
    remove: (id) =>
      holdUpload(context, id, async ({ row }) => {
        if (!isResumable(row)) throw unknownUpload(id)
        await removeUpload(context, id)
      }),
  }
}

/** Returns whether a record is of a resumable upload. LFS objects have no path. */
function isResumable({ path }: UploadRow): boolean {
  return path !== ""
}

/** Returns whether an upload is for a target. A fileset that was renamed continues its uploads under the new name. */
function isFor(row: UploadRow, { workspace, filesetId }: UploadTarget): boolean {
  return row.workspace === workspace && row.fileset_id === filesetId
}

/** Returns whether all bytes have arrived, and the file is not written yet. */
function isDue({ received, length, completed }: UploadRow): boolean {
  return received === length && completed === 0
}

function stateOf(row: UploadRow): UploadState {
  const { id, workspace, fileset, fileset_id: filesetId, length, sha256, metadata } = row
  return {
    record: {
      id,
      workspace,
      fileset,
      filesetId,
      path: parseFilePath(row.path),
      length,
      sha256,
      ...(metadata === null ? {} : { metadata }),
      expiresAt: row.expires_at,
      completed: row.completed === 1,
    },
    offset: row.received,
  }
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

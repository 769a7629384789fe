import { AssayError, isAssayError } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { readDatabaseTime } from "../database/clock.ts"
import { isFor } from "../uploads/upload-record.ts"
import type { FinishUpload, UploadPiece, UploadState, UploadStore } from "../uploads/upload-store.ts"
import { areWhole, readPieces } from "./read-pieces.ts"
import { removeUpload } from "./remove-upload.ts"
import { holdUpload, type HeldUpload } from "./upload-lease.ts"
import {
  addUpload,
  bytesGone,
  deletePieces,
  dropPieces,
  findUpload,
  listPieces,
  newPiecePath,
  putPieces,
  type SharedUploadsContext,
  type StoredPiece,
  type UploadRow,
} from "./upload-rows.ts"
import { writePieces } from "./write-pieces.ts"

/**
 * Opens the uploads in progress of all servers that share a database. Their bytes are pieces on the default storage, and their
 * records are in the database. The server that gets a request continues the upload, whichever server had it before. The offset is
 * the end of the last piece that is in the database.
 */
export function openSharedUploadStore(context: SharedUploadsContext): UploadStore {
  const { database, newId, lifetimeMs } = context
  const databaseTime = () => database.read((queries) => readDatabaseTime(queries, context))

  async function find(id: string): Promise<UploadRow> {
    const row = await findUpload(context, id)
    // LFS objects have no path.
    if (row === undefined || row.path === "") {
      throw new AssayError("not_found", `Upload '${id}' not found; start a new one.`)
    }
    return row
  }

  async function checkAge({ id, expires_at }: UploadRow): Promise<void> {
    if (expires_at > (await databaseTime())) return
    throw new AssayError("upload_gone", `Upload '${id}' has expired; start a new one.`)
  }

  async function complete({ row, change }: HeldUpload, finish: FinishUpload): Promise<UploadState> {
    const storage = await context.openDefaultStorage()
    const pieces = await listPieces(context, row.id)
    if (!areWhole(pieces, row.length)) throw bytesGone(row.id)
    const last = row.length - 1
    try {
      await finish(stateOf(row).record, readPieces(storage, row.id, pieces, { start: 0, end: last }))
    } catch (error) {
      // Bytes that can never become the file are removed. After `disk_full`, the client can continue later.
      if (isAssayError(error, "checksum_mismatch") || isAssayError(error, "invalid_request"))
        await removeUpload(context, row.id)
      throw error
    }
    const paths = await change(async (queries) => {
      await queries
        .updateTable("uploads")
        .set({ completed: 1, received: row.length })
        .where("id", "=", row.id)
        .execute()
      return dropPieces(queries, row.id, 0)
    })
    await deletePieces(storage, paths)
    return stateOf({ ...row, completed: 1, received: row.length })
  }

  /** Returns the state of an upload. If all bytes arrived before a server was lost, finishes it first. */
  async function settle(held: HeldUpload, finish: FinishUpload): Promise<UploadState> {
    await checkAge(held.row)
    return isDue(held.row) ? complete(held, finish) : stateOf(held.row)
  }

  async function addPieces({ row, change }: HeldUpload, pieces: readonly StoredPiece[]): Promise<number> {
    const last = pieces.at(-1)
    if (last === undefined) return row.received
    const received = last.start + last.size
    await change(async (queries) => {
      const expires_at = (await readDatabaseTime(queries, context)) + lifetimeMs
      await queries.updateTable("uploads").set({ received, expires_at }).where("id", "=", row.id).execute()
      await putPieces(queries, row.id, pieces)
    })
    return received
  }

  /** Undoes a request: removes its pieces, so that the upload continues where the request began. */
  async function takeBack({ row, change }: HeldUpload, pieces: readonly StoredPiece[]): Promise<void> {
    await change(async (queries) => {
      await dropPieces(queries, row.id, row.received)
      await queries.updateTable("uploads").set({ received: row.received }).where("id", "=", row.id).execute()
    })
    const paths = pieces.map(({ path }) => path)
    await deletePieces(await context.openDefaultStorage(), paths)
  }

  /** Receives a piece of a client. Its bytes count as they arrive, or after its checksum was compared if it has one. */
  async function receive(held: HeldUpload, { offset, bytes, checksum }: UploadPiece): Promise<UploadRow> {
    const { row } = held
    const storage = await context.openDefaultStorage()
    const source = { offset, limit: row.length, bytes: hashed(bytes, checksum?.hash), now: context.now }
    const written: StoredPiece[] = []
    let received = offset
    try {
      for await (const piece of writePieces(storage, { ...source, pathOf: () => newPiecePath(context, row.id) })) {
        written.push(piece)
        if (checksum === undefined) received = await addPieces(held, [piece])
      }
      if (checksum === undefined) return { ...row, received }
      if (checksum.hash.digest().equals(checksum.expected)) return { ...row, received: await addPieces(held, written) }
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
      const expires_at = (await databaseTime()) + lifetimeMs
      const row = { id, workspace, fileset, fileset_id: filesetId, path, length, sha256, metadata, expires_at }
      const added = await addUpload(context, row)
      return length === 0 ? holdUpload(context, id, (held) => settle(held, finish)) : stateOf(added)
    },
    async get(id, to, finish) {
      const row = await find(id)
      if (!isFor(stateOf(row).record, to))
        throw new AssayError("not_found", `Upload '${id}' not found; start a new one.`)
      await checkAge(row)
      if (!isDue(row) || row.leased_until > (await databaseTime())) return stateOf(row)
      return holdUpload(context, id, (held) => settle(held, finish))
    },
    async append(id, piece, finish) {
      await find(id)
      return holdUpload(context, id, async (held) => {
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
      })
    },
    async remove(id) {
      await find(id)
      await holdUpload(context, id, () => removeUpload(context, id))
    },
  }
}

/** Returns whether all bytes have arrived, and the file is not written yet. */
function isDue({ received, length, completed }: UploadRow): boolean {
  return received === length && completed === 0
}

function stateOf({ fileset_id, expires_at, completed, received, ...row }: UploadRow): UploadState {
  const { id, workspace, fileset, length, sha256 } = row
  const path = parseFilePath(row.path)
  const named = { id, workspace, fileset, filesetId: fileset_id, path, length, sha256, ...metadataOf(row) }
  return {
    record: { ...named, expiresAt: expires_at, unverifiedFrom: null, completed: completed === 1 },
    offset: received,
  }
}

function metadataOf({ metadata }: Pick<UploadRow, "metadata">): Pick<UploadState["record"], "metadata"> {
  return metadata === null ? {} : { metadata }
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

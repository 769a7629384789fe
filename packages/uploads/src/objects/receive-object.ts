import { AssayError } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import type { Expression } from "kysely"
import { databaseTime, type Queries } from "@assay/database"
import { findOpenObject, type ObjectPart, type PendingUpload } from "./find-pending-object.ts"
import { newPiecePath } from "../pieces/piece-storage.ts"
import { NO_LEASE, type UploadValues } from "../upload-lease.ts"
import { addPieces, deletePieces, dropPieces, timeAfter, type UploadsContext } from "../upload-rows.ts"
import { limitBytes } from "../pieces/write-pieces.ts"

export interface PutOptions {
  /** Default true. */
  readonly durable?: boolean
  /** Whether the bytes are verified while they are read. Default false. */
  readonly isVerified?: boolean
  /** Whether nobody else uses the memory of the bytes. Default false. */
  readonly disposable?: boolean
}

/** Writes a whole object: see `put` of `PendingObjects`. */
export async function putObject(
  context: UploadsContext,
  upload: PendingUpload,
  bytes: AsyncIterable<Uint8Array>,
  { durable = true, isVerified = false, disposable = false }: PutOptions = {},
): Promise<void> {
  if ((await findOpenObject(context, upload)) === undefined) return
  await withPiece(
    context,
    upload,
    { bytes, limit: upload.size, expected: isVerified ? { size: upload.size } : upload, disposable },
    async (piece) => {
      // A request that completes the object at this time loses it.
      const set = { completed: 1, expires_at: timeAfter(context, context.lifetimeMs), ...NO_LEASE }
      const replaced = await context.database.write(
        async (queries) => {
          if (!(await changeOpen(queries, upload, set))) return [piece.path]
          const dropped = await dropPieces(queries, upload.key, 0)
          await addPieces(queries, upload.key, [{ start: 0, ...piece }])
          return dropped
        },
        { durable, small: true },
      )
      await deletePieces(await context.pieces.open(), replaced)
    },
  )
}

/** Writes one part of an object: see `putPart` of `PendingObjects`. */
export async function putObjectPart(
  context: UploadsContext,
  upload: PendingUpload,
  { start, end }: ObjectPart,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  if ((await findOpenObject(context, upload)) === undefined) return
  const size = end + 1 - start
  await withPiece(context, upload, { bytes, limit: size, expected: {} }, async (piece) => {
    if (piece.size !== size) {
      const message = `The part from byte ${start} to ${end} ended at byte ${start + piece.size}; send all of it.`
      throw new AssayError("bad_upload", message)
    }
    // A request that stalled while it completed the object has lost its lease, and must not take other parts for its own.
    const set = { expires_at: timeAfter(context, context.lifetimeMs), ...NO_LEASE }
    const replaced = await context.database.write(
      async (queries) => {
        if (!(await changeOpen(queries, upload, set, databaseTime(context)))) throw tooLate()
        const dropped = await dropPieces(queries, upload.key, start, start + 1)
        await addPieces(queries, upload.key, [{ start, ...piece }])
        return dropped
      },
      { small: true },
    )
    await deletePieces(await context.pieces.open(), replaced)
  })
}

interface PieceOfObject {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly limit: number
  /** The expected facts about the bytes before they come. */
  readonly expected: { readonly sha256?: string; readonly size?: number }
  readonly disposable?: boolean
}

/** Writes bytes as a new piece, and removes it again if `work` fails. */
async function withPiece<T>(
  context: UploadsContext,
  { key }: PendingUpload,
  { bytes, limit, expected: { sha256, size }, disposable }: PieceOfObject,
  work: (piece: { readonly size: number; readonly path: FilePath }) => Promise<T>,
): Promise<T> {
  const storage = await context.pieces.open()
  const path = newPiecePath(context, key)
  const stored = await storage.write(path, limitBytes(bytes, limit), { sha256, size, disposable })
  try {
    return await work({ size: stored.size, path })
  } catch (error) {
    await deletePieces(storage, [path])
    throw error
  }
}

/**
 * Changes the record of an object that is not whole. Returns false if it is whole or gone.
 * @param time also returns false if a request holds the object then
 */
async function changeOpen(
  queries: Queries,
  { key }: PendingUpload,
  set: UploadValues,
  time?: Expression<number>,
): Promise<boolean> {
  const row = await queries
    .updateTable("uploads")
    .set(set)
    .where((upload) => upload.and({ id: key, completed: 0 }))
    .$if(time !== undefined, (query) => query.where("leased_until", "<=", time ?? 0))
    .returning("id")
    .executeTakeFirst()
  return row !== undefined
}

function tooLate(): AssayError {
  const message = "The object is complete or is being completed. Bytes of a part that arrive now are too late."
  return new AssayError("upload_gone", message)
}

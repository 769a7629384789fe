import { createHash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { AssayError, isAssayError } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import type { Expression } from "kysely"
import { databaseTime } from "../database/clock.ts"
import type { Queries } from "../database/database.ts"
import { newPiecePath } from "./piece-storage.ts"
import { areWhole, readPieces } from "./read-pieces.ts"
import { holdUpload, NO_LEASE, type HeldUpload, type UploadValues } from "./upload-lease.ts"
import {
  addPieces,
  addUpload,
  deletePieces,
  dropPieces,
  findUpload,
  listPieces,
  removeRecord,
  timeAfter,
  type UploadRow,
  type UploadsContext,
} from "./upload-rows.ts"
import { limitBytes } from "./write-pieces.ts"

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

/**
 * Git LFS objects that were sent before the commit that turns them into files. They belong to no fileset yet, and expire
 * after a time.
 */
export interface PendingObjects {
  /** Starts an upload and returns its key. A power failure can end it: then the client starts another one. @throws `disk_full` */
  start(object: PendingObject, size: number): Promise<string>
  /**
   * Writes a whole object, unless it is already there. A power failure does not undo it, unless `durable` is false: for callers that
   * make a file of it before they answer.
   * @throws `not_found`, `checksum_mismatch`, `disk_full`
   */
  put(upload: PendingUpload, bytes: AsyncIterable<Uint8Array>, options?: { readonly durable?: boolean }): Promise<void>
  /**
   * Writes one part. Parts can come in any order.
   * @throws `not_found`, `bad_upload`, `disk_full`; `upload_gone` once `complete` has begun
   */
  putPart(upload: PendingUpload, part: ObjectPart, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Makes an object from its parts. Refuses further parts first, so that the verified bytes are the ones that are kept. A power
   * failure does not undo it.
   * @throws `not_found`, `checksum_mismatch`
   */
  complete(upload: PendingUpload): Promise<void>
  /** Returns the bytes of a whole object and restarts its lifetime. Returns undefined if there is no such object. */
  size(object: PendingObject): Promise<number | undefined>
  read(object: PendingObject, part: ObjectPart): AsyncIterable<Uint8Array>
  remove(object: PendingObject): Promise<void>
}

/** Milliseconds between two attempts to complete an object that another request completes. */
const POLL_MS = 250

/**
 * Opens the pending LFS objects of a database. Each part is a piece that never changes, so the parts that `complete` verifies are the
 * parts that are kept.
 */
export function openPendingObjects(context: UploadsContext): PendingObjects {
  const { database, newId, lifetimeMs } = context

  const expiry = () => timeAfter(context, lifetimeMs)

  /** Returns an upload. Undefined if its object is whole already: clients repeat requests that got no response. */
  async function findOpen(upload: PendingUpload): Promise<UploadRow | undefined> {
    const row = await findUpload(context, upload.key)
    if (row !== undefined && isOf(row, upload)) return row.completed === 1 ? undefined : row
    if ((await findWhole(upload)) !== undefined) return undefined
    const message = `The upload of object ${upload.sha256} does not exist or has expired; ask the batch API for a new one.`
    throw new AssayError("not_found", message)
  }

  async function findWhole(object: PendingObject): Promise<UploadRow | undefined> {
    return database.read((queries) => selectWhole(queries, object).limit(1).executeTakeFirst())
  }

  /** Restarts the lifetime of an object. One batch of Git LFS asks for a thousand objects, so most calls write nothing. */
  async function keep({ id, expires_at: end }: UploadRow): Promise<void> {
    if (end - context.now() > lifetimeMs / 2) return
    await database.write(
      (queries) => queries.updateTable("uploads").set({ expires_at: expiry() }).where("id", "=", id).execute(),
      { durable: false, small: true, isSingle: true },
    )
  }

  /** Writes bytes as a new piece, and removes it again if `work` fails. */
  async function withPiece<T>(
    { key, sha256, size }: PendingUpload,
    bytes: AsyncIterable<Uint8Array>,
    { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
    work: (piece: { readonly size: number; readonly path: FilePath }) => Promise<T>,
  ): Promise<T> {
    const storage = await context.pieces.open()
    const path = newPiecePath(context, key)
    const expected = isWhole ? { sha256, size } : {}
    const stored = await storage.write(path, limitBytes(bytes, limit), expected)
    try {
      return await work({ size: stored.size, path })
    } catch (error) {
      await deletePieces(storage, [path])
      throw error
    }
  }

  async function verify({ row, change }: HeldUpload): Promise<void> {
    const storage = await context.pieces.open()
    const pieces = await listPieces(context, row.id)
    const hash = createHash("sha256")
    for await (const part of readPieces(storage, row.id, pieces, { start: 0, end: row.length - 1 })) hash.update(part)
    const sha256 = hash.digest("hex")
    if (areWhole(pieces, row.length) && sha256 === row.sha256) {
      await change({ set: { completed: 1, expires_at: expiry(), ...NO_LEASE } })
      return
    }
    const { changed: paths = [] } = await change({ set: NO_LEASE, pieces: (queries) => dropPieces(queries, row.id, 0) })
    await deletePieces(storage, paths)
    const message = `The bytes that arrived have the SHA-256 ${sha256}, not ${row.sha256}; nothing was kept. Send them again.`
    throw new AssayError("checksum_mismatch", message)
  }

  return {
    async start({ fileset, sha256 }, length) {
      const id = newId("object")
      const names = { fileset_id: fileset, workspace: "", fileset: "", path: "", metadata: null }
      await addUpload(context, { id, ...names, length, sha256 }, { durable: false })
      return id
    },
    async put(upload, bytes, { durable = true } = {}) {
      if ((await findOpen(upload)) === undefined) return
      await withPiece(upload, bytes, { limit: upload.size, isWhole: true }, async (piece) => {
        // A request that completes the object at this time loses it.
        const set = { completed: 1, expires_at: expiry(), ...NO_LEASE }
        const replaced = await database.write(
          async (queries) => {
            if (!(await changeOpen(queries, upload, set))) return [piece.path]
            const dropped = await dropPieces(queries, upload.key, 0)
            await addPieces(queries, upload.key, [{ start: 0, ...piece }])
            return dropped
          },
          { durable, small: true },
        )
        await deletePieces(await context.pieces.open(), replaced)
      })
    },
    async putPart(upload, { start, end }, bytes) {
      if ((await findOpen(upload)) === undefined) return
      const size = end + 1 - start
      await withPiece(upload, bytes, { limit: size, isWhole: false }, async (piece) => {
        if (piece.size !== size) {
          const message = `The part from byte ${start} to ${end} ended at byte ${start + piece.size}; send all of it.`
          throw new AssayError("bad_upload", message)
        }
        // A request that stalled while it completed the object has lost its lease, and must not take other parts for its own.
        const set = { expires_at: expiry(), ...NO_LEASE }
        const replaced = await database.write(
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
    },
    async complete(upload) {
      while ((await findOpen(upload)) !== undefined) {
        try {
          return await holdUpload(context, upload.key, async (held) => {
            if (held.row.completed === 0) await verify(held)
          })
        } catch (error) {
          if (!isAssayError(error, "upload_locked")) throw error
          // Another request completes the object. Its result is the result of this one.
          await setTimeout(POLL_MS)
        }
      }
    },
    async size(object) {
      const row = await findWhole(object)
      if (row === undefined) return undefined
      await keep(row)
      return row.length
    },
    async *read(object, part) {
      const row = await findWhole(object)
      if (row === undefined) throw new AssayError("not_found", `There is no object ${object.sha256}; send it first.`)
      yield* readPieces(await context.pieces.open(), row.id, await listPieces(context, row.id), part)
    },
    async remove(object) {
      if ((await findWhole(object)) === undefined) return
      const paths = await database.write(
        async (queries) => {
          const rows = await selectWhole(queries, object).execute()
          const dropped = await Promise.all(rows.map(({ id }) => removeRecord(queries, id)))
          return dropped.flat()
        },
        { small: true },
      )
      await deletePieces(await context.pieces.open(), paths)
    },
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

/** Returns the query for the records of a whole object. Several clients may have sent it. */
function selectWhole(queries: Queries, { fileset, sha256 }: PendingObject) {
  return queries
    .selectFrom("uploads")
    .selectAll()
    .where((upload) => upload.and({ fileset_id: fileset, sha256, path: "", completed: 1 }))
    .orderBy("expires_at", "desc")
}

function isOf({ fileset_id, sha256, length }: UploadRow, upload: PendingUpload): boolean {
  return fileset_id === upload.fileset && sha256 === upload.sha256 && length === upload.size
}

function tooLate(): AssayError {
  const message = "The object is complete or is being completed. Bytes of a part that arrive now are too late."
  return new AssayError("upload_gone", message)
}

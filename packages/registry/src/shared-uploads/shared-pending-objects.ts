import { createHash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { AssayError, isAssayError } from "@assay/schemas"
import { readDatabaseTime } from "../database/clock.ts"
import type { PendingObject, PendingObjects, PendingUpload } from "../uploads/pending-objects.ts"
import { areWhole, readPieces } from "./read-pieces.ts"
import { removeUpload } from "./remove-upload.ts"
import { holdUpload, type HeldUpload } from "./upload-lease.ts"
import {
  addUpload,
  deletePieces,
  dropPieces,
  findUpload,
  listPieces,
  newPiecePath,
  putPieces,
  selectUpload,
  type SharedUploadsContext,
  type UploadRow,
} from "./upload-rows.ts"
import { limitBytes } from "./write-pieces.ts"

/** Milliseconds between two attempts to complete an object that another request completes. */
const POLL_MS = 250

/**
 * Opens the pending LFS objects of all servers that share a database. Each part is a file on the default storage that never
 * changes, so the parts that `complete` verifies are the parts that are kept.
 */
export function openSharedPendingObjects(context: SharedUploadsContext): PendingObjects {
  const { database, newId, lifetimeMs } = context

  /** Returns an upload. Undefined if its object is whole already: clients repeat requests that got no response. */
  async function findOpen(upload: PendingUpload): Promise<UploadRow | undefined> {
    const row = await findUpload(context, upload.key)
    if (row !== undefined && isOf(row, upload)) return row.completed === 1 ? undefined : row
    if ((await findWhole(upload)) !== undefined) return undefined
    const message = `The upload of object ${upload.sha256} does not exist or has expired; ask the batch API for a new one.`
    throw new AssayError("not_found", message)
  }

  async function findWhole({ fileset, sha256 }: PendingObject): Promise<UploadRow | undefined> {
    return database.read((queries) =>
      queries
        .selectFrom("uploads")
        .selectAll()
        .where((upload) => upload.and({ fileset_id: fileset, sha256, path: "", completed: 1 }))
        .orderBy("expires_at", "desc")
        .limit(1)
        .executeTakeFirst(),
    )
  }

  /** Restarts the lifetime of an object. One batch of Git LFS asks for a thousand objects, so most calls write nothing. */
  async function keep({ id, expires_at: end }: UploadRow): Promise<void> {
    if (end - context.now() > lifetimeMs / 2) return
    await database.write(async (queries) => {
      const expires_at = (await readDatabaseTime(queries, context)) + lifetimeMs
      await queries.updateTable("uploads").set({ expires_at }).where("id", "=", id).execute()
    })
  }

  /** Writes bytes as a new piece, and removes it again if `work` fails. */
  async function withPiece<T>(
    { key, sha256, size }: PendingUpload,
    bytes: AsyncIterable<Uint8Array>,
    { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
    work: (piece: { readonly size: number; readonly path: ReturnType<typeof newPiecePath> }) => Promise<T>,
  ): Promise<T> {
    const storage = await context.openDefaultStorage()
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
    const storage = await context.openDefaultStorage()
    const pieces = await listPieces(context, row.id)
    const hash = createHash("sha256")
    for await (const part of readPieces(storage, row.id, pieces, { start: 0, end: row.length - 1 })) hash.update(part)
    const sha256 = hash.digest("hex")
    if (areWhole(pieces, row.length) && sha256 === row.sha256) {
      await change((queries) => markWhole(queries, row.id))
      return
    }
    const paths = await change((queries) => dropPieces(queries, row.id, 0))
    await deletePieces(storage, paths)
    const message = `The bytes that arrived have the SHA-256 ${sha256}, not ${row.sha256}; nothing was kept. Send them again.`
    throw new AssayError("checksum_mismatch", message)
  }

  const markWhole = async (queries: Parameters<typeof selectUpload>[0], id: string): Promise<void> => {
    const expires_at = (await readDatabaseTime(queries, context)) + lifetimeMs
    await queries.updateTable("uploads").set({ completed: 1, expires_at }).where("id", "=", id).execute()
  }

  return {
    async start({ fileset, sha256 }, length) {
      const id = newId("object")
      const expires_at = (await database.read((queries) => readDatabaseTime(queries, context))) + lifetimeMs
      await addUpload(context, {
        id,
        fileset_id: fileset,
        workspace: "",
        fileset: "",
        path: "",
        length,
        sha256,
        metadata: null,
        expires_at,
      })
      return id
    },
    async put(upload, bytes) {
      if ((await findOpen(upload)) === undefined) return
      await withPiece(upload, bytes, { limit: upload.size, isWhole: true }, async (piece) => {
        const replaced = await database.write(async (queries) => {
          const row = await selectUpload(queries, upload.key).modifyEnd(database.dialect.forChange).executeTakeFirst()
          if (row === undefined || row.completed === 1) return [piece.path]
          const dropped = await dropPieces(queries, upload.key, 0)
          await putPieces(queries, upload.key, [{ start: 0, ...piece }])
          // A request that completes the object at this time loses it.
          await queries
            .updateTable("uploads")
            .set({ lease: "", leased_until: 0 })
            .where("id", "=", upload.key)
            .execute()
          await markWhole(queries, upload.key)
          return dropped
        })
        await deletePieces(await context.openDefaultStorage(), replaced)
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
        const replaced = await database.write(async (queries) => {
          const row = await selectUpload(queries, upload.key).modifyEnd(database.dialect.forChange).executeTakeFirst()
          const time = await readDatabaseTime(queries, context)
          if (row === undefined || row.completed === 1 || row.leased_until > time) throw tooLate()
          // A request that stalled while it completed the object has lost its lease, and must not take other parts for its own.
          const changes = { lease: "", leased_until: 0, expires_at: time + lifetimeMs }
          await queries.updateTable("uploads").set(changes).where("id", "=", upload.key).execute()
          return putPieces(queries, upload.key, [{ start, ...piece }])
        })
        await deletePieces(await context.openDefaultStorage(), replaced)
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
      yield* readPieces(await context.openDefaultStorage(), row.id, await listPieces(context, row.id), part)
    },
    async remove(object) {
      for (let row = await findWhole(object); row !== undefined; row = await findWhole(object))
        await removeUpload(context, row.id)
    },
  }
}

function isOf({ fileset_id, sha256, length }: UploadRow, upload: PendingUpload): boolean {
  return fileset_id === upload.fileset && sha256 === upload.sha256 && length === upload.size
}

function tooLate(): AssayError {
  const message = "The object is complete or is being completed. Bytes of a part that arrive now are too late."
  return new AssayError("upload_gone", message)
}

import { AssayError } from "@assay/schemas"
import { completeObject } from "./complete-object.ts"
import {
  findWholeObject,
  selectWholeObjects,
  type ObjectPart,
  type PendingObject,
  type PendingUpload,
} from "./find-pending-object.ts"
import { readPieces, type ReadPart } from "../pieces/read-pieces.ts"
import { putObject, putObjectPart, type PutOptions } from "./receive-object.ts"
import {
  addUpload,
  deletePieces,
  listPieces,
  removeRecord,
  timeAfter,
  type UploadRow,
  type UploadsContext,
} from "../upload-rows.ts"

/**
 * Git LFS objects that were sent before the commit that turns them into files. They belong to no fileset yet, and expire
 * after a time.
 */
export interface PendingObjects {
  /** Starts an upload and returns its key. A power failure can end it: then the client starts another one. @throws `disk_full` */
  start(object: PendingObject, size: number): Promise<string>
  /**
   * Writes a whole object, unless it is already there. A power failure does not undo it, unless `durable` is false: for callers that
   * make a file of it before they answer. With `isVerified`, the name is not the digest of the bytes: they end with an error if they are wrong.
   * @throws `not_found`, `checksum_mismatch`, `disk_full`
   */
  put(upload: PendingUpload, bytes: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<void>
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
  read(object: PendingObject, part: ReadPart): AsyncIterable<Uint8Array>
  remove(object: PendingObject): Promise<void>
}

/**
 * Opens the pending LFS objects of a database. Each part is a piece that never changes, so the parts that `complete` verifies are the
 * parts that are kept.
 */
export function openPendingObjects(context: UploadsContext): PendingObjects {
  return {
    async start({ fileset, sha256 }, length) {
      const id = context.newId("object")
      const names = { fileset_id: fileset, workspace: "", fileset: "", path: "" as const, metadata: null }
      await addUpload(context, { id, ...names, length, sha256 }, { durable: false })
      return id
    },
    put: (upload, bytes, options) => putObject(context, upload, bytes, options),
    putPart: (upload, part, bytes) => putObjectPart(context, upload, part, bytes),
    complete: (upload) => completeObject(context, upload),
    async size(object) {
      const row = await findWholeObject(context, object)
      if (row === undefined) return undefined
      await keep(context, row)
      return row.length
    },
    async *read(object, part) {
      const row = await findWholeObject(context, object)
      if (row === undefined) throw new AssayError("not_found", `There is no object ${object.sha256}; send it first.`)
      yield* readPieces(await context.pieces.open(), row.id, await listPieces(context, row.id), part)
    },
    async remove(object) {
      if ((await findWholeObject(context, object)) === undefined) return
      const paths = await context.database.write(
        async (queries) => {
          const rows = await selectWholeObjects(queries, object).execute()
          const dropped = await Promise.all(rows.map(({ id }) => removeRecord(queries, id)))
          return dropped.flat()
        },
        { small: true },
      )
      await deletePieces(await context.pieces.open(), paths)
    },
  }
}

/** Restarts the lifetime of an object. One batch of Git LFS asks for a thousand objects, so most calls write nothing. */
async function keep(context: UploadsContext, { id, expires_at: end }: UploadRow): Promise<void> {
  if (end - context.now() > context.lifetimeMs / 2) return
  await context.database.write(
    (queries) => {
      const expires_at = timeAfter(context, context.lifetimeMs)
      return queries.updateTable("uploads").set({ expires_at }).where("id", "=", id).execute()
    },
    { durable: false, small: true, isSingle: true },
  )
}

import { createHash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { AssayError, isAssayError } from "@assay/schemas"
import { findOpenObject, type PendingUpload } from "./find-pending-object.ts"
import { areWhole, readPieces } from "../pieces/read-pieces.ts"
import { holdUpload, NO_LEASE, type HeldUpload } from "../upload-lease.ts"
import { deletePieces, dropPieces, listPieces, timeAfter, type UploadsContext } from "../upload-rows.ts"

/** Milliseconds between two attempts to complete an object that another request completes. */
const POLL_MS = 250

/** Makes an object from its parts: see `complete` of `PendingObjects`. */
export async function completeObject(context: UploadsContext, upload: PendingUpload): Promise<void> {
  while ((await findOpenObject(context, upload)) !== undefined) {
    try {
      return await holdUpload(context, upload.key, async (held) => {
        if (held.row.completed === 0) await verify(context, held)
      })
    } catch (error) {
      if (!isAssayError(error, "upload_locked")) throw error
      // Another request completes the object. Its result is the result of this one.
      await setTimeout(POLL_MS)
    }
  }
}

async function verify(context: UploadsContext, { row, change }: HeldUpload): Promise<void> {
  const storage = await context.pieces.open()
  const pieces = await listPieces(context, row.id)
  const hash = createHash("sha256")
  for await (const part of readPieces(storage, row.id, pieces, { start: 0, end: row.length - 1 })) hash.update(part)
  const sha256 = hash.digest("hex")
  if (areWhole(pieces, row.length) && sha256 === row.sha256) {
    await change({ set: { completed: 1, expires_at: timeAfter(context, context.lifetimeMs), ...NO_LEASE } })
    return
  }
  const { changed: paths = [] } = await change({ set: NO_LEASE, pieces: (queries) => dropPieces(queries, row.id, 0) })
  await deletePieces(storage, paths)
  const message = `The bytes that arrived have the SHA-256 ${sha256}, not ${row.sha256}; nothing was kept. Send them again.`
  throw new AssayError("checksum_mismatch", message)
}

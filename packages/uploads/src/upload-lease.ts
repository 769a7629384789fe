import { setTimeout } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import type { UpdateObject } from "kysely"
import { databaseTime, type Database, type Queries, type Tables } from "@assay/database"
import { findUpload, timeAfter, unknownUpload, type UploadRow, type UploadsContext } from "./upload-rows.ts"

/** Milliseconds after which another request may take the upload of a server that was lost. */
const UPLOAD_LEASE_MS = 15_000
const RENEW_MS = UPLOAD_LEASE_MS / 3

/** The columns of an upload that no request holds. */
export const NO_LEASE = { lease: "", leased_until: 0 } as const

/** A lease protects from other requests, and need not outlive a power failure. */
const LEASING = { durable: false, small: true, isSingle: true } as const

/** New values of a record. */
export type UploadValues = UpdateObject<Tables, "uploads">

interface UploadChange<T> {
  /** `NO_LEASE` among them ends the lease with the change. */
  readonly set: UploadValues
  /** Changes the pieces in the same transaction. */
  readonly pieces?: (queries: Queries) => Promise<T>
  /** False: a power failure may undo the change until the next one. */
  readonly durable?: boolean
}

/** An upload that one request holds. */
export interface HeldUpload {
  readonly row: UploadRow
  /**
   * Changes the upload, if it is still held, and returns its record. A request that lost its lease changes nothing.
   * @throws `upload_locked` if another request has taken the upload
   */
  readonly change: <T>(change: UploadChange<T>) => Promise<{ readonly row: UploadRow; readonly changed: T | undefined }>
}

/** Ends all leases of an embedded database at the start of its server. No other server can hold them. */
export async function freeUploads(database: Database): Promise<void> {
  await database.write((queries) => queries.updateTable("uploads").set(NO_LEASE).where("lease", "!=", "").execute())
}

/** Returns the error for a request to an upload that another request holds. */
function uploadLocked(id: string): AssayError {
  return new AssayError("upload_locked", `Upload '${id}' is receiving bytes over another connection.`)
}

async function takeLease(context: UploadsContext, id: string): Promise<UploadRow> {
  const { database, newId } = context
  const set = { lease: newId("lease"), leased_until: timeAfter(context, UPLOAD_LEASE_MS) }
  const row = await database.write(
    (queries) =>
      queries
        .updateTable("uploads")
        .set(set)
        .where("id", "=", id)
        .where("leased_until", "<=", databaseTime(context))
        .returningAll()
        .executeTakeFirst(),
    LEASING,
  )
  if (row !== undefined) return row
  throw (await findUpload(context, id)) === undefined ? unknownUpload(id) : uploadLocked(id)
}

/** Changes a record whose lease is held. Returns undefined if it is not. */
async function changeHeld(
  queries: Queries,
  { id, lease }: UploadRow,
  set: UploadValues,
): Promise<UploadRow | undefined> {
  return queries
    .updateTable("uploads")
    .set(set)
    .where((upload) => upload.and({ id, lease }))
    .returningAll()
    .executeTakeFirst()
}

async function renewUntil(signal: AbortSignal, context: UploadsContext, row: UploadRow): Promise<void> {
  for (;;) {
    await setTimeout(RENEW_MS, undefined, { signal, ref: false })
    const leased_until = timeAfter(context, UPLOAD_LEASE_MS)
    // If the database does not answer, another attempt follows before the lease ends.
    await context.database.write((queries) => changeHeld(queries, row, { leased_until }), LEASING).catch(() => {})
  }
}

/**
 * Runs `work` while no other request holds the upload, on any server. The lease follows the clock of the database. A server that
 * stalls past the end of its lease cannot change the upload afterwards.
 * @throws `upload_locked` while another request holds the upload, `not_found`
 */
export async function holdUpload<T>(
  context: UploadsContext,
  id: string,
  work: (held: HeldUpload) => Promise<T>,
): Promise<T> {
  const { database } = context
  const row = await takeLease(context, id)
  let isHeld = true
  const done = new AbortController()
  const renewing = renewUntil(done.signal, context, row).catch(() => {})
  try {
    return await work({
      row,
      async change({ set, pieces, durable = true }) {
        const leased_until = timeAfter(context, UPLOAD_LEASE_MS)
        const result = await database.write(
          async (queries) => {
            const changedRow = await changeHeld(queries, row, { leased_until, ...set })
            if (changedRow === undefined) throw uploadLocked(id)
            return { row: changedRow, changed: await pieces?.(queries) }
          },
          { durable, small: true, isSingle: pieces === undefined },
        )
        if (result.row.lease !== row.lease) isHeld = false
        return result
      },
    })
  } finally {
    done.abort()
    await renewing
    // If the database does not answer, the lease ends by itself.
    if (isHeld) await database.write((queries) => changeHeld(queries, row, NO_LEASE), LEASING).catch(() => {})
  }
}

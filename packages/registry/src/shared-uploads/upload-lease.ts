import { setTimeout } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import { readDatabaseTime } from "../database/clock.ts"
import type { Queries } from "../database/database.ts"
import { selectUpload, type SharedUploadsContext, type UploadRow } from "./upload-rows.ts"

/** Milliseconds after which another request may take the upload of a server that was lost. */
export const UPLOAD_LEASE_MS = 15_000
const RENEW_MS = UPLOAD_LEASE_MS / 3

/** An upload that one request holds. */
export interface HeldUpload {
  readonly row: UploadRow
  /**
   * Changes the upload, if it is still held. A request that lost its lease changes nothing.
   * @throws `upload_locked` if another request has taken the upload
   */
  readonly change: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>
}

/** Returns the error for a request to an upload that another request holds. */
export function uploadLocked(id: string): AssayError {
  return new AssayError("upload_locked", `Upload '${id}' is receiving bytes over another connection.`)
}

async function takeLease(context: SharedUploadsContext, id: string): Promise<UploadRow | "held" | undefined> {
  const { database, newId } = context
  const lease = newId("lease")
  return database.write(async (queries) => {
    const row = await selectUpload(queries, id).modifyEnd(database.dialect.forChange).executeTakeFirst()
    if (row === undefined) return undefined
    const time = await readDatabaseTime(queries, context)
    if (row.leased_until > time) return "held"
    const taken = { lease, leased_until: time + UPLOAD_LEASE_MS }
    await queries.updateTable("uploads").set(taken).where("id", "=", id).execute()
    return { ...row, ...taken }
  })
}

/** Sets the end of a lease. Returns whether the lease was still held. */
async function moveLease(
  queries: Queries,
  { id, lease }: UploadRow,
  change: { readonly lease?: string; readonly leased_until: number },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable("uploads")
    .set(change)
    .where((upload) => upload.and({ id, lease }))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function renewUntil(signal: AbortSignal, context: SharedUploadsContext, row: UploadRow): Promise<void> {
  for (;;) {
    await setTimeout(RENEW_MS, undefined, { signal, ref: false })
    // If the database does not answer, another attempt follows before the lease ends.
    await context.database
      .write(async (queries) => {
        const leased_until = (await readDatabaseTime(queries, context)) + UPLOAD_LEASE_MS
        await moveLease(queries, row, { leased_until })
      })
      .catch(() => {})
  }
}

/**
 * Runs `work` while no other request holds the upload, on any server. The lease follows the clock of the database. A server that
 * stalls past the end of its lease cannot change the upload afterwards.
 * @throws `upload_locked` while another request holds the upload, `not_found`
 */
export async function holdUpload<T>(
  context: SharedUploadsContext,
  id: string,
  work: (held: HeldUpload) => Promise<T>,
): Promise<T> {
  const { database } = context
  const row = await takeLease(context, id)
  if (row === "held") throw uploadLocked(id)
  if (row === undefined) throw new AssayError("not_found", `Upload '${id}' not found; start a new one.`)
  const done = new AbortController()
  const renewing = renewUntil(done.signal, context, row).catch(() => {})
  try {
    return await work({
      row,
      change: (change) =>
        database.write(async (queries) => {
          const leased_until = (await readDatabaseTime(queries, context)) + UPLOAD_LEASE_MS
          if (!(await moveLease(queries, row, { leased_until }))) throw uploadLocked(id)
          return change(queries)
        }),
    })
  } finally {
    done.abort()
    await renewing
    // If the database does not answer, the lease ends by itself.
    await database.write((queries) => moveLease(queries, row, { lease: "", leased_until: 0 })).catch(() => {})
  }
}

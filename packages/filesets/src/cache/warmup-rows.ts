import type { FilesetCache } from "@assay/schemas"
import type { Selectable } from "kysely"
import { readDatabaseTime, type Queries, type CacheWarmupTable } from "@assay/database"
import { FILESET_COLUMNS, type FilesetRow } from "../filesets/fileset-row.ts"
import { recordUsage } from "../filesets/stored-bytes.ts"
import type { FilesetsContext } from "../filesets-context.ts"

/** A warm-up with a lease. While the lease lasts, only one server runs the warm-up. */
export interface LeasedWarmup {
  readonly fileset: FilesetRow
  readonly leasedUntil: number
}

/** The progress of a warm-up. */
export type WarmupState = Omit<FilesetCache, "status"> & { status: CacheWarmupTable["status"] }

/** Milliseconds. After a crash, the lease lasts for this time. */
export const WARMUP_LEASE_MS = 60_000

type WarmupContext = Pick<FilesetsContext, "database" | "now">

const BEGUN = { status: "warming", files: null, cached_files: 0, bytes: null, cached_bytes: 0, error: null } as const

/** Records a warm-up from the first file on, unless one is running. */
export async function recordWarmup(queries: Queries, fileset_id: string, asked_at: number): Promise<void> {
  await queries
    .insertInto("cache_warmups")
    .values({ fileset_id, ...BEGUN, asked_at, leased_until: 0 })
    .onConflict((conflict) =>
      conflict
        .column("fileset_id")
        .doUpdateSet({ ...BEGUN, asked_at, leased_until: 0 })
        .where("cache_warmups.status", "<>", "warming"),
    )
    .execute()
}

/** Leases the free warm-up that has waited longest. Undefined if there is none. */
export function leaseWarmup(context: WarmupContext): Promise<LeasedWarmup | undefined> {
  const { database } = context
  return database.write(async (queries) => {
    const time = await readDatabaseTime(queries, context)
    const warmup = await queries
      .selectFrom("cache_warmups")
      .select("fileset_id")
      .where("status", "=", "warming")
      .where("leased_until", "<=", time)
      .orderBy("asked_at")
      .limit(1)
      .modifyEnd(database.dialect.forUpdate)
      .executeTakeFirst()
    if (warmup === undefined) return undefined
    const { fileset_id } = warmup
    const leased_until = time + WARMUP_LEASE_MS
    await queries.updateTable("cache_warmups").set({ leased_until }).where("fileset_id", "=", fileset_id).execute()
    const fileset = await queries
      .selectFrom("filesets")
      .select(FILESET_COLUMNS)
      .where("id", "=", fileset_id)
      .executeTakeFirstOrThrow()
    return { fileset, leasedUntil: leased_until }
  })
}

/**
 * Saves the progress of a warm-up and renews its lease. A warm-up that has ended, or is given back, loses its lease.
 * Returns undefined if the warm-up was called off, or if the lease has expired and another server may have taken it.
 */
export async function saveWarmup(
  context: WarmupContext,
  { fileset, leasedUntil }: LeasedWarmup,
  state: WarmupState,
  isGivenBack = false,
): Promise<LeasedWarmup | undefined> {
  const isHeld = state.status === "warming" && !isGivenBack
  return context.database.write(
    async (queries) => {
      const leased_until = isHeld ? (await readDatabaseTime(queries, context)) + WARMUP_LEASE_MS : 0
      const { numUpdatedRows } = await queries
        .updateTable("cache_warmups")
        .set({ ...state, leased_until })
        .where("fileset_id", "=", fileset.id)
        .where("leased_until", "=", leasedUntil)
        .executeTakeFirstOrThrow()
      const { files, bytes } = state
      if (files !== null && bytes !== null) await recordUsage(queries, fileset.id, { files, bytes })
      return numUpdatedRows === 0n ? undefined : { fileset, leasedUntil: leased_until }
    },
    { durable: state.status !== "warming" },
  )
}

/** Ends all leases. For a database that no other server uses. */
export async function freeWarmups({ database }: WarmupContext): Promise<void> {
  await database.write((queries) =>
    queries.updateTable("cache_warmups").set({ leased_until: 0 }).where("leased_until", ">", 0).execute(),
  )
}

/** Removes the warm-up of a fileset. A server that runs it stops when it saves next. */
export async function forgetWarmup({ database }: WarmupContext, filesetId: string): Promise<void> {
  await database.write((queries) => queries.deleteFrom("cache_warmups").where("fileset_id", "=", filesetId).execute())
}

const IDLE: FilesetCache = { ...BEGUN, status: "idle" }

export async function readWarmup({ database }: WarmupContext, filesetId: string): Promise<FilesetCache> {
  const row = await database.read((queries) =>
    queries.selectFrom("cache_warmups").selectAll().where("fileset_id", "=", filesetId).executeTakeFirst(),
  )
  return row === undefined ? IDLE : stateOf(row)
}

function stateOf(row: Selectable<CacheWarmupTable>): FilesetCache {
  const { status, files, cached_files, bytes, cached_bytes, error } = row
  return { status, files, cached_files, bytes, cached_bytes, error }
}

import type { FilesetCache } from "@assay/schemas"
import type { Selectable } from "kysely"
import type { Queries } from "../database/database.ts"
import { readDatabaseTime } from "../database/clock.ts"
import type { CacheWarmupTable } from "../database/tables.ts"
import { FILESET_COLUMNS, type FilesetRow } from "../filesets/fileset-row.ts"
import type { RegistryContext } from "../registry-context.ts"

/** A fileset that one server alone brings into the cache, as long as the lease lasts. */
export interface LeasedWarmup {
  readonly fileset: FilesetRow
  readonly leasedUntil: number
}

/** How far a warm-up is. */
export type WarmupState = Omit<FilesetCache, "status"> & { status: CacheWarmupTable["status"] }

/** Milliseconds. Who was killed holds it so long. */
export const WARMUP_LEASE_MS = 60_000

type WarmupContext = Pick<RegistryContext, "database" | "now">

const BEGUN = { status: "warming", files: null, cached_files: 0, bytes: null, cached_bytes: 0, error: null } as const

/** Has a fileset brought into the cache from its first file on; one that somebody is at stays as it is. */
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

/** Takes the warm-up that has waited longest and that nobody is at; undefined where there is none. */
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
 * Writes down how far a warm-up is, and lets its lease last for its whole time again; one that has ended, or that is given
 * back, has none. Undefined where it was called off, or the lease ran out and somebody else may have taken it.
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
      return numUpdatedRows === 0n ? undefined : { fileset, leasedUntil: leased_until }
    },
    { durable: state.status !== "warming" },
  )
}

/** What a server held that has gone: for a database that no other server can be at. */
export async function freeWarmups({ database }: WarmupContext): Promise<void> {
  await database.write((queries) =>
    queries.updateTable("cache_warmups").set({ leased_until: 0 }).where("leased_until", ">", 0).execute(),
  )
}

/** Forgets the warm-up of a fileset; who is at it finds out when it saves. */
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

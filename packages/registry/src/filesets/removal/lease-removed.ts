import type { Expression, Selectable } from "kysely"
import type { Queries } from "../../database/database.ts"
import { databaseTime, readDatabaseTime } from "../../database/clock.ts"
import type { RemovedFilesetTable } from "../../database/tables.ts"
import type { RegistryContext } from "../../registry-context.ts"

/** A removed fileset that the one who has it alone deletes the bytes of, as long as the lease lasts. */
export type LeasedFileset = Selectable<RemovedFilesetTable>

/** Milliseconds. Who was killed, or met an error, holds it so long. */
export const LEASE_MS = 60_000

type LeaseContext = Pick<RegistryContext, "database" | "now">

/** Takes a removed fileset that nobody is at; undefined where there is none. */
export async function leaseRemoved(
  context: LeaseContext,
  address: RemovedAddress = {},
): Promise<LeasedFileset | undefined> {
  const { database } = context
  // Mostly there is nothing, and to look costs less than to begin to write.
  const seen = await database.read((queries) => firstFree(queries, address, databaseTime(context)).executeTakeFirst())
  if (seen === undefined) return undefined
  return database.write(async (queries) => {
    const time = await readDatabaseTime(queries, context)
    const row = await firstFree(queries, address, time).modifyEnd(database.dialect.forUpdate).executeTakeFirst()
    if (row === undefined) return undefined
    const leased_until = time + LEASE_MS
    await queries.updateTable("removed_filesets").set({ leased_until }).where("id", "=", row.id).execute()
    return { ...row, leased_until }
  })
}

interface RemovedAddress {
  readonly workspace?: string
  readonly name?: string
}

function firstFree(queries: Queries, address: RemovedAddress, time: Expression<number> | number) {
  return queries
    .selectFrom("removed_filesets")
    .selectAll()
    .where((removed) => removed.and({ ...address }))
    .where("leased_until", "<=", time)
    .orderBy("leased_until")
    .limit(1)
}

/** Lets a lease last for its whole time again. Undefined where it ran out and somebody else may have taken it. */
export async function renewLease(context: LeaseContext, leased: LeasedFileset): Promise<LeasedFileset | undefined> {
  return context.database.write(async (queries) => {
    const leased_until = (await readDatabaseTime(queries, context)) + LEASE_MS
    const { numUpdatedRows } = await queries
      .updateTable("removed_filesets")
      .set({ leased_until })
      .where((removed) => removed.and({ id: leased.id, leased_until: leased.leased_until }))
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 0n ? undefined : { ...leased, leased_until }
  })
}

/** Gives a lease back before its time. */
export async function endLease({ database }: LeaseContext, { id, leased_until }: LeasedFileset): Promise<void> {
  await database.write((queries) =>
    queries
      .updateTable("removed_filesets")
      .set({ leased_until: 0 })
      .where((removed) => removed.and({ id, leased_until }))
      .execute(),
  )
}

/** Nothing is left of the fileset. */
export async function forgetRemoved({ database }: LeaseContext, { id, leased_until }: LeasedFileset): Promise<void> {
  await database.write((queries) =>
    queries
      .deleteFrom("removed_filesets")
      .where((removed) => removed.and({ id, leased_until }))
      .execute(),
  )
}

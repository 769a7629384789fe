import type { Selectable } from "kysely"
import { readSteadyTime, type Queries, type RemovedFilesetTable } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"

/** A removed fileset with a lease. While the lease lasts, only its holder deletes the files. */
export type LeasedFileset = Selectable<RemovedFilesetTable>

/** Milliseconds. After a crash or an error, the lease lasts for this time. */
export const LEASE_MS = 60_000

type LeaseContext = Pick<FilesetsContext, "database" | "now" | "steadyNow">

/** Leases a removed fileset that is free. Undefined if there is none. */
export async function leaseRemoved(
  context: LeaseContext,
  address: RemovedAddress = {},
): Promise<LeasedFileset | undefined> {
  const { database } = context
  // Usually there is none, and a read costs less than a write transaction.
  const seen = await database.read(async (queries) =>
    firstFree(queries, address, await readSteadyTime(queries, context)).executeTakeFirst(),
  )
  if (seen === undefined) return undefined
  return database.write(async (queries) => {
    const time = await readSteadyTime(queries, context)
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

function firstFree(queries: Queries, address: RemovedAddress, time: number) {
  return queries
    .selectFrom("removed_filesets")
    .selectAll()
    .where((removed) => removed.and({ ...address }))
    .where("leased_until", "<=", time)
    .orderBy("leased_until")
    .limit(1)
}

/** Renews a lease for its whole time. Undefined if it has expired and another server may have taken it. */
export async function renewLease(context: LeaseContext, leased: LeasedFileset): Promise<LeasedFileset | undefined> {
  return context.database.write(async (queries) => {
    const leased_until = (await readSteadyTime(queries, context)) + LEASE_MS
    const { numUpdatedRows } = await queries
      .updateTable("removed_filesets")
      .set({ leased_until })
      .where((removed) => removed.and({ id: leased.id, leased_until: leased.leased_until }))
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 0n ? undefined : { ...leased, leased_until }
  })
}

/** Ends a lease early. */
export async function endLease({ database }: LeaseContext, { id, leased_until }: LeasedFileset): Promise<void> {
  await database.write((queries) =>
    queries
      .updateTable("removed_filesets")
      .set({ leased_until: 0 })
      .where((removed) => removed.and({ id, leased_until }))
      .execute(),
  )
}

/** Removes the record of a removed fileset after its last file. */
export async function forgetRemoved({ database }: LeaseContext, { id, leased_until }: LeasedFileset): Promise<void> {
  await database.write((queries) =>
    queries
      .deleteFrom("removed_filesets")
      .where((removed) => removed.and({ id, leased_until }))
      .execute(),
  )
}

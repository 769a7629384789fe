import { sql, type Expression } from "kysely"
import type { RegistryContext } from "../registry-context.ts"
import type { Queries } from "./database.ts"

/** Milliseconds. Beyond that the clocks of a server and its database are worth a warning. */
export const MAX_CLOCK_SKEW_MS = 2000

type ClockContext = Pick<RegistryContext, "database" | "now">

/**
 * Returns the time by which leases are held, as an expression. Servers that share a database share its clock: their own
 * ones differ. An embedded database has one server, whose clock it is.
 */
export function databaseTime({ database, now }: ClockContext): Expression<number> {
  return database.dialect.clock ?? sql<number>`${now()}`
}

/** Reads the time by which leases are held, in milliseconds since 1970. */
export async function readDatabaseTime(queries: Queries, { database, now }: ClockContext): Promise<number> {
  const { clock } = database.dialect
  if (clock === undefined) return now()
  const { rows } = await sql<{ readonly time: number }>`select ${clock} as time`.execute(queries)
  return rows[0]?.time ?? now()
}

/**
 * Measures by how many milliseconds the database's clock is ahead of ours. The way there and back counts half; a difference
 * that a slow answer explains is none.
 */
export async function measureClockSkew(context: ClockContext): Promise<number> {
  const { database, now } = context
  if (database.dialect.clock === undefined) return 0
  const asked = now()
  const time = await database.read((queries) => readDatabaseTime(queries, context))
  const answered = now()
  const skew = Math.round(time - (asked + answered) / 2)
  return Math.abs(skew) <= (answered - asked) / 2 ? 0 : skew
}

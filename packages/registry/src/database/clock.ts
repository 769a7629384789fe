import { setTimeout } from "node:timers/promises"
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

const LOOK_MS = 600_000

/** Returns a sentence if the clock of this machine is far off the clock of a shared database; else undefined. */
export async function checkClock(context: Pick<RegistryContext, "database" | "now">): Promise<string | undefined> {
  const skew = await measureClockSkew(context)
  if (Math.abs(skew) <= MAX_CLOCK_SKEW_MS) return undefined
  const seconds = (Math.abs(skew) / 1000).toFixed(1)
  const side = skew > 0 ? "behind" : "ahead of"
  return `The clock of this machine is ${seconds} s ${side} the clock of the database; synchronise both with NTP. Leases follow the database, but times in records differ between servers.`
}

/** Warns in the log, at the start and every ten minutes, if the clocks differ. */
export function watchClock(context: Pick<RegistryContext, "database" | "now" | "background" | "log">): void {
  const { background, database, log } = context
  if (database.dialect.clock === undefined) return
  background.start("compare the clock with that of the database", async (signal) => {
    for (;;) {
      const warning = await checkClock(context)
      if (warning !== undefined) log.warn({}, warning)
      await setTimeout(LOOK_MS, undefined, { signal, ref: false })
    }
  })
}

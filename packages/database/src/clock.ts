import { setTimeout } from "node:timers/promises"
import { sql, type Expression } from "kysely"
import type { Background, BackgroundLog } from "./background.ts"
import type { Database, Queries } from "./database.ts"

/** Milliseconds. If the clocks of a server and its database differ by more, the log gets a warning. */
const MAX_CLOCK_SKEW_MS = 2000

interface ClockContext {
  readonly database: Database
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

/**
 * Returns the time that leases use, as an expression. Servers that share a database use its clock, because their own clocks
 * differ. An embedded database has one server and uses that server's clock.
 */
export function databaseTime({ database, now }: ClockContext): Expression<number> {
  return database.dialect.clock ?? sql<number>`${now()}`
}

/** Reads the time that leases use, in milliseconds since 1970. */
export async function readDatabaseTime(queries: Queries, { database, now }: ClockContext): Promise<number> {
  const { clock } = database.dialect
  if (clock === undefined) return now()
  const { rows } = await sql<{ readonly time: number }>`select ${clock} as time`.execute(queries)
  return rows[0]?.time ?? now()
}

/**
 * Returns by how many milliseconds the database's clock is ahead of this machine's. It compares with the middle of the
 * request, and returns 0 if the duration of the request explains the difference.
 */
async function measureClockSkew(context: ClockContext): Promise<number> {
  const { database, now } = context
  if (database.dialect.clock === undefined) return 0
  const asked = now()
  const time = await database.read((queries) => readDatabaseTime(queries, context))
  const answered = now()
  const skew = Math.round(time - (asked + answered) / 2)
  return Math.abs(skew) <= (answered - asked) / 2 ? 0 : skew
}

const CHECK_MS = 600_000

/** Returns a sentence if the clock of this machine differs by more than 2 s from the clock of a shared database. */
export async function checkClock(context: ClockContext): Promise<string | undefined> {
  const skew = await measureClockSkew(context)
  if (Math.abs(skew) <= MAX_CLOCK_SKEW_MS) return undefined
  const seconds = (Math.abs(skew) / 1000).toFixed(1)
  const side = skew > 0 ? "behind" : "ahead of"
  return `The clock of this machine is ${seconds} s ${side} the clock of the database; synchronise both with NTP. Leases follow the database, but times in records differ between servers.`
}

/** Logs a warning, at the start and every 10 minutes, if the clocks differ. */
export function watchClock(
  context: ClockContext & { readonly background: Background; readonly log: BackgroundLog },
): void {
  const { background, database, log } = context
  if (database.dialect.clock === undefined) return
  background.start("compare the clock with that of the database", async (signal) => {
    for (;;) {
      const warning = await checkClock(context)
      if (warning !== undefined) log.warn({}, warning)
      await setTimeout(CHECK_MS, undefined, { signal, ref: false })
    }
  })
}

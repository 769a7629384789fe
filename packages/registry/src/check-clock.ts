import { setTimeout } from "node:timers/promises"
import { MAX_CLOCK_SKEW_MS, measureClockSkew } from "./database/database-time.ts"
import type { RegistryContext } from "./registry-context.ts"

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

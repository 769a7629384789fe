import type { Database, Queries } from "../database/database.ts"
import { addToTotal, lockTotal } from "./cache-total.ts"

/** Entries that are looked at in one step. */
const STEP = 500

/** Removes the entries that were used longest ago until the others have at most `most` bytes; answers their keys. */
export function evictEntries(database: Database, most: number): Promise<readonly string[]> {
  return database.write(
    async (queries) => {
      const total = await lockTotal(queries, database.dialect)
      const evicted: string[] = []
      let left = total
      while (left > most) {
        const step = await oldestEntries(queries, left - most)
        if (step.length === 0) break
        const keys = step.map(({ key }) => key)
        await queries.deleteFrom("cache_entries").where("key", "in", keys).execute()
        evicted.push(...keys)
        left -= sizeOf(step)
      }
      await addToTotal(queries, left - total)
      return evicted
    },
    { durable: false },
  )
}

interface SizedEntry {
  readonly key: string
  readonly size: number
}

/** As many of the entries used longest ago as have `bytes` together, and no more. */
async function oldestEntries(queries: Queries, bytes: number): Promise<readonly SizedEntry[]> {
  const oldest = await queries
    .selectFrom("cache_entries")
    .select(["key", "size"])
    .orderBy("used_at")
    .orderBy("key")
    .limit(STEP)
    .execute()
  let found = 0
  let count = 0
  while (count < oldest.length && found < bytes) {
    found += oldest[count]?.size ?? 0
    count += 1
  }
  return oldest.slice(0, count)
}

function sizeOf(entries: readonly SizedEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0)
}

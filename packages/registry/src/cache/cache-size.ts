import { sql } from "kysely"
import type { Queries, Database } from "../database/database.ts"
import type { SqlDialect } from "../database/sql-dialect.ts"

/**
 * Returns the bytes in the cache and locks them until the transaction ends. Every transaction that adds or removes entries
 * calls this first, so that two of them never wait for each other.
 */
export async function lockTotal(queries: Queries, { forUpdate }: SqlDialect): Promise<number> {
  const row = await queries.selectFrom("cache_totals").select("bytes").modifyEnd(forUpdate).executeTakeFirstOrThrow()
  return row.bytes
}

export async function addToTotal(queries: Queries, change: number): Promise<void> {
  if (change === 0) return
  await queries
    .updateTable("cache_totals")
    .set({ bytes: sql<number>`bytes + ${change}` })
    .execute()
}

/** Entries that are read in one step. */
const STEP = 500

/** Removes the least recently used entries until the others have at most `max` bytes. Returns the removed keys. */
export function evictEntries(database: Database, max: number): Promise<readonly string[]> {
  return database.write(
    async (queries) => {
      const total = await lockTotal(queries, database.dialect)
      const evicted: string[] = []
      let left = total
      while (left > max) {
        const step = await oldestEntries(queries, left - max)
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

/** Returns the fewest of the least recently used entries that have `bytes` together. */
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

import { sql } from "kysely"
import type { Queries, Database } from "../database/database.ts"
import type { SqlDialect } from "../database/sql-dialect.ts"

/**
 * Bytes in the cache. Until the transaction ends nobody else changes it: whoever adds or removes entries asks for it
 * first, so that two of them never wait for each other.
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

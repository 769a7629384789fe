import { sql } from "kysely"
import type { Queries } from "../database/database.ts"
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

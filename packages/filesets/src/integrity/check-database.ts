import { sql } from "kysely"
import type { Database } from "@assay/database"

/** PostgreSQL returns a sum as text, because it has no size limit. */
export type Sum = number | string

/** Checks the files of the database, and the kept counts. Returns one sentence for each kind of damage. */
export async function checkDatabase(database: Database): Promise<readonly string[]> {
  return database.read(async (queries) => {
    const damage = await database.dialect.findDamage(queries)
    // Damaged tables can't be counted.
    if (damage.length > 0) return damage
    // One statement each, so that a running server changes nothing in between.
    const counts = await sql<{ workspace: string; purpose: string; storage_type: string; off: Sum }>`
      select workspace, purpose, storage_type, sum(n) as off from (
        select workspace, purpose, storage_type, total as n from fileset_counts where workspace <> ''
        union all select workspace, purpose, storage_type, -1 as n from filesets
      ) as counted group by workspace, purpose, storage_type having sum(n) <> 0`.execute(queries)
    const cache = await sql<{ off: Sum }>`select
      (select coalesce(sum(bytes), 0) from cache_totals) - (select coalesce(sum(size), 0) from cache_entries) as off`.execute(
      queries,
    )
    const off = Number(cache.rows[0]?.off ?? 0)
    return [
      ...counts.rows.map(
        ({ workspace, purpose, storage_type, off: by }) =>
          `The count of ${purpose} filesets on ${storage_type} in workspace '${workspace}' is off by ${Number(by)}.`,
      ),
      ...(off === 0 ? [] : [`The size of the read cache is off by ${off} bytes.`]),
    ]
  })
}

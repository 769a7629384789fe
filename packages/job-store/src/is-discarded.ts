import { sql } from "kysely"
import type { Queries, Condition } from "@assay/database"

/** Returns a condition on rows of jobs: the trash does not have them. @param id the column with their id */
export function isNotDiscarded(id: string): Condition {
  return sql<boolean>`${sql.ref(id)} not in (select entry.id from trash_entries as entry where entry.kind = 'job')`
}

/** Returns whether the trash has a job, also one whose time is over. */
export async function isDiscarded(queries: Queries, id: string): Promise<boolean> {
  const found = await queries
    .selectFrom("trash_entries")
    .select("id")
    .where((entry) => entry.and({ id, kind: "job" }))
    .executeTakeFirst()
  return found !== undefined
}

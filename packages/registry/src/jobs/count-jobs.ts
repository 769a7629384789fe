import { sql } from "kysely"
import type { Queries } from "../database/database.ts"

/** How many evaluation jobs there are in a workspace. */
export async function countJobs(queries: Queries, workspace: string): Promise<number> {
  const { count } = await queries
    .selectFrom("evaluation_jobs")
    .select(sql<number>`count(*)`.as("count"))
    .where("namespace", "=", workspace)
    .executeTakeFirstOrThrow()
  return count
}

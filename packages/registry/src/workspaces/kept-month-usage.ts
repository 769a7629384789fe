import type { Queries } from "@assay/database"
import { monthOf } from "./calendar-month.ts"

/**
 * Keeps what a workspace has used in this month, for a new one of its name: a workspace that is removed and created again has the same budget
 * left. Forgets earlier months of all removed workspaces. Called in the transaction that removes the workspace.
 */
export async function keepUsage(queries: Queries, workspace: string, now: number): Promise<void> {
  const month = monthOf(now)
  const used = await queries
    .selectFrom("workspace_usage")
    .selectAll()
    .where((row) => row.and({ workspace, month }))
    .executeTakeFirst()
  await queries.deleteFrom("removed_workspace_usage").where("month", "<", month).execute()
  if (used !== undefined) await queries.insertInto("removed_workspace_usage").values(used).execute()
}

/** Gives a new workspace what one of its name has used in this month. Called in the transaction that creates the workspace. */
export async function returnUsage(queries: Queries, workspace: string, now: number): Promise<void> {
  const removed = await queries
    .deleteFrom("removed_workspace_usage")
    .where("workspace", "=", workspace)
    .returningAll()
    .execute()
  const used = removed.find(({ month }) => month === monthOf(now))
  if (used !== undefined) await queries.insertInto("workspace_usage").values(used).execute()
}

import { AssayError, BUILT_IN_WORKSPACES } from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import type { Queries } from "../database/database.ts"
import type { WorkspaceTable } from "../database/tables.ts"
import { removeFilesets } from "../filesets/removal/remove-filesets.ts"
import { workspaceNotFound } from "../records/not-found.ts"
import type { RegistryContext } from "../registry-context.ts"

type WorkspaceRow = Selectable<WorkspaceTable>

/** Filesets that are removed in one transaction. A small number, so that other transactions do not wait long. */
const CHUNK = 100

export async function removeWorkspace(
  context: RegistryContext,
  name: string,
  { cascade }: { readonly cascade: boolean },
): Promise<WorkspaceRow> {
  const isBuiltIn = BUILT_IN_WORKSPACES.some((builtIn) => builtIn === name)
  if (isBuiltIn) throw new AssayError("in_use", `Workspace '${name}' is built in and can't be deleted`)
  for (;;) {
    const removed = await removeIfFree(context, name, cascade)
    if (removed !== undefined) return removed
    await removeFilesets(context, (filesets) => filesets.where("workspace", "=", name).limit(CHUNK))
  }
}

/** Returns the removed row. Undefined if filesets, whose files have to be removed first, are left. */
async function removeIfFree(
  { database }: RegistryContext,
  name: string,
  cascade: boolean,
): Promise<WorkspaceRow | undefined> {
  return database.write(async (queries) => {
    // With this lock, transactions that add records to the workspace wait.
    const row = await queries
      .selectFrom("workspaces")
      .selectAll()
      .where("name", "=", name)
      .modifyEnd(database.dialect.forUpdate)
      .executeTakeFirst()
    if (row === undefined) throw workspaceNotFound(name)
    const filesets = await countIn(queries, "filesets", name)
    const models = await countIn(queries, "models", name)
    const secrets = await countIn(queries, "secrets", name)
    const jobs = await countJobsIn(queries, name)
    if (!cascade) checkEmpty(name, { filesets, models, evaluation_jobs: jobs, secrets })
    if (filesets > 0) return undefined
    await queries.deleteFrom("workspaces").where("name", "=", name).execute()
    return row
  })
}

/** @throws `in_use` with the number of records of each kind */
function checkEmpty(workspace: string, counts: Readonly<Record<string, number>>): void {
  const held = Object.entries(counts).filter(([, count]) => count > 0)
  if (held.length === 0) return
  const list = held.map(([what, count]) => `${count} ${what.replaceAll("_", " ")}`)
  const message = `Workspace '${workspace}' contains ${list.join(", ")}; remove them first, or set cascade=true`
  throw new AssayError("in_use", message, { context: { workspace, ...counts } })
}

async function countIn(queries: Queries, table: "filesets" | "models" | "secrets", workspace: string): Promise<number> {
  const { count } = await queries
    .selectFrom(table)
    .select(sql<number>`count(*)`.as("count"))
    .where("workspace", "=", workspace)
    .executeTakeFirstOrThrow()
  return count
}

async function countJobsIn(queries: Queries, workspace: string): Promise<number> {
  const { count } = await queries
    .selectFrom("evaluation_jobs")
    .select(sql<number>`count(*)`.as("count"))
    .where("namespace", "=", workspace)
    .executeTakeFirstOrThrow()
  return count
}

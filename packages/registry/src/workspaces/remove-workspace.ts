import { AssayError, BUILT_IN_WORKSPACES } from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import { type Queries, type WorkspaceTable, workspaceNotFound } from "@assay/database"
import type { FilesetStore } from "@assay/filesets"
import type { JobStore } from "@assay/job-store"
import type { RegistryContext } from "../registry-context.ts"
import { keepUsage } from "./kept-month-usage.ts"

export interface WorkspacesContext extends RegistryContext, Pick<FilesetStore, "removal"> {
  readonly jobs: JobStore["ofWorkspace"]
}

export type WorkspaceRow = Selectable<WorkspaceTable>

/** Filesets that are removed in one transaction. A small number, so that other transactions do not wait long. */
const CHUNK = 100

export async function removeWorkspace(
  context: WorkspacesContext,
  name: string,
  { cascade }: { readonly cascade: boolean },
): Promise<WorkspaceRow> {
  const isBuiltIn = BUILT_IN_WORKSPACES.some((builtIn) => builtIn === name)
  if (isBuiltIn) throw new AssayError("in_use", `Workspace '${name}' is built in and can't be deleted`)
  let deleteDropped = () => {}
  const removeRow = async (queries: Queries) => {
    const row = await removeIfFree(queries, { context, name, cascade })
    if (row === undefined) return undefined
    deleteDropped = await context.removal.dropOfWorkspace(queries, name)
    await queries.deleteFrom("workspaces").where("name", "=", name).execute()
    return row
  }
  const removed = await removeWithContents(context, name, removeRow)
  deleteDropped()
  return removed
}

/** Removes a workspace with `removeRow`, after all that it contains and that has files. */
async function removeWithContents(
  context: WorkspacesContext,
  name: string,
  removeRow: (queries: Queries) => Promise<WorkspaceRow | undefined>,
): Promise<WorkspaceRow> {
  const removed = await context.database.write(removeRow)
  if (removed !== undefined) return removed
  for (;;) {
    await context.jobs.removeJournals(name)
    // The last filesets and the workspace go in one transaction: an error leaves them all.
    const { after } = await context.removal.remove((filesets) => filesets.where("workspace", "=", name).limit(CHUNK), {
      after: removeRow,
    })
    if (after !== undefined) return after
  }
}

/** Returns the row of a workspace that can be removed now. Undefined if filesets or journals, whose files have to be removed first, are left. */
async function removeIfFree(
  queries: Queries,
  { context: { database, now, jobs }, name, cascade }: { context: WorkspacesContext; name: string; cascade: boolean },
): Promise<WorkspaceRow | undefined> {
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
  if (!cascade) checkEmpty(name, { filesets, models, evaluation_jobs: await jobs.count(queries, name), secrets })
  if (filesets > 0 || (await jobs.hasJournals(queries, name))) return undefined
  await keepUsage(queries, name, now())
  return row
}

/** @throws `in_use` with the number of records of each kind */
function checkEmpty(workspace: string, counts: Readonly<Record<string, number>>): void {
  const held = Object.entries(counts).filter(([, count]) => count > 0)
  if (held.length === 0) return
  const list = held.map(([what, count]) => countOf(count, what.replaceAll("_", " ")))
  const message = `Workspace '${workspace}' contains ${list.join(", ")}; remove them first, or delete it with the option 'cascade'.`
  throw new AssayError("in_use", message, { context: { workspace, ...counts } })
}

function countOf(count: number, plural: string): string {
  return `${count} ${count === 1 ? plural.replace(/s$/, "") : plural}`
}

async function countIn(queries: Queries, table: "filesets" | "models" | "secrets", workspace: string): Promise<number> {
  const { count } = await queries
    .selectFrom(table)
    .select(sql<number>`count(*)`.as("count"))
    .where("workspace", "=", workspace)
    .executeTakeFirstOrThrow()
  return count
}

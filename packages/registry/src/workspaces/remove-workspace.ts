import { AssayError, type Workspace } from "@assay/schemas"
import { sql } from "kysely"
import type { Queries } from "../database/database.ts"
import { countJobs } from "../jobs/count-jobs.ts"
import { removeFilesets } from "../filesets/removal/remove-filesets.ts"
import type { RegistryContext } from "../registry-context.ts"
import { isBuiltIn } from "./built-in-workspaces.ts"
import { workspaceNotFound } from "../records/not-found.ts"
import { workspaceOf } from "./create-workspaces.ts"

/** Filesets that are removed in one transaction, so that others need not wait long for theirs. */
const CHUNK = 100

export async function removeWorkspace(
  context: RegistryContext,
  name: string,
  { cascade }: { readonly cascade: boolean },
): Promise<Workspace> {
  if (isBuiltIn(name)) throw new AssayError("in_use", `Workspace '${name}' is built in and can't be deleted`)
  for (;;) {
    const removed = await removeIfFree(context, name, cascade)
    if (removed !== undefined) return removed
    await removeFilesets(context, (filesets) => filesets.where("workspace", "=", name).limit(CHUNK))
  }
}

/** Answers undefined while there are filesets whose bytes have to go first. */
async function removeIfFree(
  { database }: RegistryContext,
  name: string,
  cascade: boolean,
): Promise<Workspace | undefined> {
  return database.write(async (queries) => {
    // Whoever puts something into the workspace waits until it is gone.
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
    const jobs = await countJobs(queries, name)
    if (!cascade) checkEmpty(name, { filesets, models, evaluation_jobs: jobs, secrets })
    if (filesets > 0) return undefined
    await queries.deleteFrom("workspaces").where("name", "=", name).execute()
    return workspaceOf(row)
  })
}

/** @throws `in_use` that names what is in it */
function checkEmpty(workspace: string, counts: Readonly<Record<string, number>>): void {
  const held = Object.entries(counts).filter(([, count]) => count > 0)
  if (held.length === 0) return
  const list = held.map(([what, count]) => `${count} ${what.replaceAll("_", " ")}`)
  const message = `Workspace '${workspace}' holds ${list.join(", ")}; remove them first, or ask for cascade=true`
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

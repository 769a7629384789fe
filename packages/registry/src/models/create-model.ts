import { AssayError, type CreateModel } from "@assay/schemas"
import { readDatabaseTime } from "../database/clock.ts"
import type { Queries } from "../database/database.ts"
import { checkFreeForm, checkStorable } from "../records/check-body.ts"
import { recordNotFound, checkWorkspace, workspaceMissing } from "../records/not-found.ts"
import { createRecord } from "../records/write-records.ts"
import type { RegistryContext } from "../registry-context.ts"
import { ANALYSIS_LEASE_MS } from "./analysis-run.ts"
import type { ModelRow } from "./model-row.ts"

/** Inserts a model whose analysis begins. */
export async function createModel(context: RegistryContext, workspace: string, body: CreateModel): Promise<ModelRow> {
  checkFreeForm(body)
  checkStorable(body)
  const { database, now, newId } = context
  const { name, description = "", project = "", custom_fields = {} } = body
  const time = now()
  const row = {
    id: newId("model"),
    workspace,
    name,
    description,
    project,
    fileset: body.fileset.includes("/") ? body.fileset : `${workspace}/${body.fileset}`,
    spec: null,
    analysis: null,
    custom_fields: JSON.stringify(custom_fields),
    created_at: time,
    updated_at: time,
  }
  const insert = async (queries: Queries) => {
    // Insert first, so that errors about the model's own workspace and name come before those about its fileset.
    const leased_until = (await readDatabaseTime(queries, context)) + ANALYSIS_LEASE_MS
    const begun = { ...row, leased_until }
    await queries.insertInto("models").values(begun).execute()
    await checkFileset(queries, row.fileset)
    return begun
  }
  return createRecord(database, insert, {
    taken: () => new AssayError("already_exists", `Model '${workspace}/${name}' already exists`),
    missingParent: () => workspaceMissing(workspace),
  })
}

/** @throws `not_found` */
async function checkFileset(queries: Queries, reference: string): Promise<void> {
  const [workspace = "", name = ""] = reference.split("/")
  const found = await queries
    .selectFrom("filesets")
    .select("id")
    .where((row) => row.and({ workspace, name }))
    .executeTakeFirst()
  if (found !== undefined) return
  await checkWorkspace(queries, workspace)
  throw recordNotFound(workspace, "Fileset", name)
}

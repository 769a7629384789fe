import {
  AssayError,
  checkSameName,
  formatFilter,
  formatTimestamp,
  invalidRequest,
  MODEL_FILTER_FIELDS,
  type CreateModel,
  type Model,
  type ModelAnalysis,
  type ModelPage,
  type UpdateModel,
} from "@assay/schemas"
import type { Selectable } from "kysely"
import {
  readDatabaseTime,
  type Queries,
  type SqlDialect,
  parseJson,
  type ModelTable,
  filteredBy,
  type FilteredTable,
  isWithin,
  checkWorkspace,
  notFoundIn,
  recordNotFound,
  workspaceMissing,
  orderOf,
  readRecords,
  changeTime,
  checkFreeForm,
  checkStorable,
  createRecord,
  type VisibleWorkspaces,
} from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import type { ModelQuery, Models } from "./models.ts"
import { describedIn, givenSpec, noAnalysis, withDescription } from "./described-model.ts"
import { ANALYSIS_LEASE_MS, createAnalysisRun } from "./analysis-run.ts"

const MODELS: FilteredTable = { name: "models", fields: MODEL_FILTER_FIELDS, folded: [] }

export function createModels(context: RegistryContext): Models {
  const { database } = context

  async function find(workspace: string, name: string): Promise<ModelRow> {
    const row = await database.read((queries) =>
      queries
        .selectFrom("models")
        .selectAll()
        .where((row) => row.and({ workspace, name }))
        .executeTakeFirst(),
    )
    if (row === undefined) throw await notFoundIn(database, workspace, "Model", name)
    return row
  }

  function begun(row: ModelRow) {
    const { id: modelId, leased_until: leasedUntil } = row
    return createAnalysisRun(context, modelOf(row, leasedUntil - ANALYSIS_LEASE_MS), { modelId, leasedUntil })
  }

  async function present(row: ModelRow): Promise<Model> {
    const [model = modelOf(row, 0)] = await modelsOf(context, [row])
    return model
  }

  return {
    create: async (workspace, body) => begun(await createModel(context, workspace, body)),

    describe: async (workspace, body) => modelOf(await createModel(context, workspace, body), 0),

    list: (workspace, query, visible) => listModels(context, workspace, query, visible),

    get: async (workspace, name) => present(await find(workspace, name)),

    async update(workspace, name, body) {
      const row = await updateModel(context, { workspace, name }, body)
      return present(row ?? (await find(workspace, name)))
    },

    async remove(workspace, name) {
      const row = await database.write((queries) =>
        queries
          .deleteFrom("models")
          .where((row) => row.and({ workspace, name }))
          .returningAll()
          .executeTakeFirst(),
      )
      if (row === undefined) throw await notFoundIn(database, workspace, "Model", name)
      return present(row)
    },

    async startAnalysis(workspace, name) {
      const row = await leaseAnalysis(context, { workspace, name })
      if (row !== undefined) return begun(row)
      if ((await find(workspace, name)).fileset === "") throw nothingToAnalyse(workspace, name)
      return undefined
    },
  }
}

/** Lists the models of a workspace, or without one those of all visible workspaces. */
async function listModels(
  context: RegistryContext,
  workspace: string | undefined,
  { sort, filter, ...query }: ModelQuery,
  visible: VisibleWorkspaces,
): Promise<ModelPage> {
  const { database } = context
  const { column, direction } = orderOf(sort)
  const scope = workspace === undefined ? visible : [workspace]
  const { rows, pagination } = await readRecords(database, { ...query, large: ["spec"] }, (queries) =>
    queries
      .selectFrom("models")
      .selectAll()
      .where(isWithin("workspace", scope))
      .where(filteredBy(filter, database.dialect, MODELS))
      .orderBy(column, direction)
      // Equal values are ordered by ascending id in both directions.
      .orderBy("id"),
  )
  if (rows.length === 0 && workspace !== undefined) await database.read((queries) => checkWorkspace(queries, workspace))
  const data = await modelsOf(context, rows)
  return { data, pagination, sort, ...(filter === undefined ? {} : { filter: formatFilter(filter) }) }
}

/** Reads the clock of the database only if a record has a lease. */
async function modelsOf(context: RegistryContext, rows: readonly ModelRow[]): Promise<Model[]> {
  const isLeased = rows.some(({ leased_until }) => leased_until > 0)
  const time = isLeased ? await context.database.read((queries) => readDatabaseTime(queries, context)) : 0
  return rows.map((row) => modelOf(row, time))
}

/** Takes the lease for an analysis. Returns undefined if another server has it, or if there is no such model. */
function leaseAnalysis(
  context: RegistryContext,
  address: { readonly workspace: string; readonly name: string },
): Promise<ModelRow | undefined> {
  return context.database.write(async (queries) => {
    const time = await readDatabaseTime(queries, context)
    return queries
      .updateTable("models")
      .set({ leased_until: time + ANALYSIS_LEASE_MS })
      .where((row) => row.and(address))
      .where("fileset", "<>", "")
      .where("leased_until", "<=", time)
      .returningAll()
      .executeTakeFirst()
  })
}

/**
 * Replaces the values that `body` names. Null empties a value. Returns undefined if it names none, or if there is no such
 * model.
 */
async function updateModel(
  { database, now }: RegistryContext,
  address: { readonly workspace: string; readonly name: string },
  body: UpdateModel,
): Promise<ModelRow | undefined> {
  const { dialect } = database
  checkSameName(body.name, address.name)
  checkFreeForm(body)
  checkStorable(body)
  const { description, project, custom_fields } = body
  const plain = {
    ...(description === undefined ? {} : { description: description ?? "" }),
    ...(project === undefined ? {} : { project: project ?? "" }),
    ...(custom_fields === undefined ? {} : { custom_fields: JSON.stringify(custom_fields ?? {}) }),
  }
  return database.write(async (queries) => {
    const changes = {
      ...plain,
      ...(await describedChanges(queries, { ...address, forUpdate: dialect.forUpdate }, body)),
    }
    if (Object.keys(changes).length === 0) return undefined
    return queries
      .updateTable("models")
      .set({ ...changes, updated_at: changeTime(now()) })
      .where((row) => row.and(address))
      .returningAll()
      .executeTakeFirst()
  })
}

/** Returns the changes of what a body says about a model. They depend on what the record has. */
async function describedChanges(
  queries: Queries,
  { workspace, name, forUpdate }: { workspace: string; name: string; forUpdate: SqlDialect["forUpdate"] },
  body: UpdateModel,
): Promise<Partial<Pick<ModelRow, "spec" | "described">>> {
  const { spec, api_endpoint, base_model, model_providers } = body
  if ([spec, api_endpoint, base_model, model_providers].every((value) => value === undefined)) return {}
  const row = await queries
    .selectFrom("models")
    .select(["fileset", "described"])
    .where((one) => one.and({ workspace, name }))
    .modifyEnd(forUpdate)
    .executeTakeFirst()
  if (row === undefined) return {}
  const given = givenSpec(body, row.fileset)
  const described = withDescription(describedIn(row), body)
  return { ...(given === undefined ? {} : { spec: given }), ...(described === undefined ? {} : { described }) }
}

/** Inserts a model. If it has a fileset, its analysis begins. */
async function createModel(context: RegistryContext, workspace: string, body: CreateModel): Promise<ModelRow> {
  checkFreeForm(body)
  checkStorable(body)
  const { database, now, newId } = context
  const { name, description = "", project = "", custom_fields = {} } = body
  const given = body.fileset ?? ""
  const fileset = given === "" || given.includes("/") ? given : `${workspace}/${given}`
  const time = now()
  const row = {
    id: newId("model"),
    workspace,
    name,
    description,
    project,
    fileset,
    spec: givenSpec(body, fileset) ?? null,
    analysis: fileset === "" ? JSON.stringify(noAnalysis(formatTimestamp(time))) : null,
    described: withDescription(describedIn({ described: null }), body) ?? null,
    custom_fields: JSON.stringify(custom_fields),
    created_at: time,
    updated_at: time,
  }
  const insert = async (queries: Queries) => {
    // Insert first, so that errors about the model's own workspace and name come before those about its fileset.
    const leased_until = fileset === "" ? 0 : (await readDatabaseTime(queries, context)) + ANALYSIS_LEASE_MS
    const begun = { ...row, leased_until }
    await queries.insertInto("models").values(begun).execute()
    if (fileset !== "") await checkFileset(queries, fileset)
    return begun
  }
  return createRecord(database, insert, {
    taken: () => new AssayError("already_exists", `Model '${workspace}/${name}' already exists`),
    missingParent: () => workspaceMissing(workspace),
  })
}

function nothingToAnalyse(workspace: string, name: string): AssayError {
  const msg = `Model '${workspace}/${name}' has no fileset, so there is no checkpoint to analyse; create a model with one`
  return invalidRequest(["path", "name"], msg, "no_fileset")
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

type ModelRow = Selectable<ModelTable>

/** Returns the record in a row at the time `now`. */
export function modelOf(row: ModelRow, now: number): Model {
  return {
    id: row.id,
    name: row.name,
    workspace: row.workspace,
    project: row.project,
    description: row.description,
    fileset: row.fileset === "" ? null : row.fileset,
    spec: row.spec === null ? null : JSON.parse(row.spec),
    analysis: analysisOf(row, now),
    ...describedIn(row),
    custom_fields: parseJson(row.custom_fields),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  }
}

const NOTHING = { error: null, warnings: [], bytes_read: 0, requests: 0, analyzed_at: null }

/** Returns the analysis of a model. An expired lease means that the server stopped during it, so no server has to search for such analyses. */
function analysisOf({ analysis, leased_until }: ModelRow, now: number): ModelAnalysis {
  if (leased_until > now) return { ...NOTHING, status: "running" }
  if (leased_until === 0 && analysis !== null) return JSON.parse(analysis)
  const message = "The server stopped before the analysis ended: request it again."
  return {
    ...NOTHING,
    status: "failed",
    error: { code: "unavailable", message },
    analyzed_at: formatTimestamp(leased_until),
  }
}

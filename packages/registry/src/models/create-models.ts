import type { Model } from "@assay/schemas"
import { readDatabaseTime } from "../database/database-time.ts"
import { readRecords } from "../database/read-records.ts"
import { SORT_ORDERS } from "../filesets/list/sort-order.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { Models } from "../registry.ts"
import { notFoundIn } from "../workspaces/not-found-in.ts"
import { checkWorkspace } from "../workspaces/workspace-errors.ts"
import { ANALYSIS_LEASE_MS } from "./analysis-lease.ts"
import { createAnalysisRun } from "./analysis-run.ts"
import { createModel } from "./create-model.ts"
import { modelOf, type ModelRow } from "./model-row.ts"
import { updateModel } from "./update-model.ts"

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

  /** The database is asked for its time only if a record has a lease. */
  async function modelsOf(rows: readonly ModelRow[]): Promise<Model[]> {
    const isLeased = rows.some(({ leased_until }) => leased_until > 0)
    const time = isLeased ? await database.read((queries) => readDatabaseTime(queries, context)) : 0
    return rows.map((row) => modelOf(row, time))
  }

  async function present(row: ModelRow): Promise<Model> {
    const [model = modelOf(row, 0)] = await modelsOf([row])
    return model
  }

  return {
    create: async (workspace, body) => begun(await createModel(context, workspace, body)),

    async list(workspace, { sort, ...query }) {
      const { column, direction } = SORT_ORDERS[sort]
      const { rows, pagination } = await readRecords(database, query, (queries) =>
        queries
          .selectFrom("models")
          .selectAll()
          .where("workspace", "=", workspace)
          .orderBy(column, direction)
          // Ties go by id ascending in both directions.
          .orderBy("id"),
      )
      if (rows.length === 0) await database.read((queries) => checkWorkspace(queries, workspace))
      return { data: await modelsOf(rows), pagination, sort }
    },

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
      const row = await database.write(async (queries) => {
        const time = await readDatabaseTime(queries, context)
        return queries
          .updateTable("models")
          .set({ leased_until: time + ANALYSIS_LEASE_MS })
          .where((row) => row.and({ workspace, name }))
          .where("leased_until", "<=", time)
          .returningAll()
          .executeTakeFirst()
      })
      if (row !== undefined) return begun(row)
      await find(workspace, name)
      return undefined
    },
  }
}

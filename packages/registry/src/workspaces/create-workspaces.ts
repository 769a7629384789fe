import type { WorkspaceQuery } from "./workspaces.ts"
import {
  AssayError,
  BUILT_IN_WORKSPACES,
  checkSameName,
  formatTimestamp,
  type Pagination,
  type Workspace,
  WORKSPACE_FILTER_FIELDS,
} from "@assay/schemas"
import { sql } from "kysely"
import {
  type Database,
  type Queries,
  allOf,
  containsText,
  filteredBy,
  type FilteredTable,
  isWithin,
  workspaceNotFound,
  orderOf,
  readRecords,
  changeTime,
  checkStorable,
  createRecord,
  type VisibleWorkspaces,
} from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import { returnUsage } from "./kept-month-usage.ts"
import type { Workspaces } from "./workspaces.ts"
import { removeWorkspace, type WorkspaceRow, type WorkspacesContext } from "./remove-workspace.ts"

export function createWorkspaces(context: WorkspacesContext): Workspaces {
  const { database, now, newId } = context
  return {
    async create(body) {
      checkStorable(body)
      const { name, description = "" } = body
      const time = now()
      const row = { id: newId("workspace"), name, description, created_at: time, updated_at: time }
      const taken = () => new AssayError("already_exists", `Workspace '${name}' already exists`)
      const insert = async (queries: Queries) => {
        await queries.insertInto("workspaces").values(row).execute()
        await returnUsage(queries, name, time)
      }
      await createRecord(database, insert, { taken })
      return workspaceOf(row)
    },

    async list(query, visible) {
      const { rows, pagination } = await listWorkspaces(database, query, visible)
      return { data: rows.map(workspaceOf), pagination }
    },

    async get(name) {
      const row = await database.read((queries) =>
        queries.selectFrom("workspaces").selectAll().where("name", "=", name).executeTakeFirst(),
      )
      if (row === undefined) throw workspaceNotFound(name)
      return workspaceOf(row)
    },

    async update(name, { name: given, description }) {
      checkSameName(given, name)
      checkStorable({ description })
      const row = await database.write((queries) =>
        queries
          .updateTable("workspaces")
          .set({ description, updated_at: changeTime(now()) })
          .where("name", "=", name)
          .returningAll()
          .executeTakeFirst(),
      )
      if (row === undefined) throw workspaceNotFound(name)
      return workspaceOf(row)
    },

    remove: async (name, options) => workspaceOf(await removeWorkspace(context, name, options)),
  }
}

/** Returns the record in a row. */
function workspaceOf({ id, name, description, created_at, updated_at }: WorkspaceRow): Workspace {
  return {
    id,
    name,
    description,
    created_at: formatTimestamp(created_at),
    updated_at: formatTimestamp(updated_at),
  }
}

const WORKSPACES: FilteredTable = { name: "workspaces", fields: WORKSPACE_FILTER_FIELDS, folded: [] }

/** Reads a page of the visible workspaces. */
async function listWorkspaces(
  database: Database,
  { sort, filter, where = { equals: {}, contains: {} }, ...query }: WorkspaceQuery,
  visible: VisibleWorkspaces,
): Promise<{ rows: readonly WorkspaceRow[]; pagination: Pagination }> {
  const { from, to } = where.created_at ?? {}
  const condition = allOf([
    isWithin("name", visible),
    ...Object.entries(where.equals).map(([field, value]) => sql<boolean>`${sql.ref(field)} = ${value}`),
    ...Object.entries(where.contains).map(([field, part]) => containsText(database.dialect, field, part)),
    ...(from === undefined ? [] : [sql<boolean>`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`created_at <= ${to}`]),
    filteredBy(filter, database.dialect, WORKSPACES),
  ])
  const { column, direction } = orderOf(sort)
  return readRecords(database, query, (queries) =>
    queries
      .selectFrom("workspaces")
      .selectAll()
      .where(condition)
      .orderBy(column, direction)
      // Equal values are ordered by ascending id in both directions.
      .orderBy("id"),
  )
}

/** Creates the built-in workspaces that are missing. */
export async function makeBuiltInWorkspaces({
  database,
  now,
  newId,
}: Pick<RegistryContext, "database" | "now" | "newId">): Promise<void> {
  const time = now()
  const rows = BUILT_IN_WORKSPACES.map((name) => ({
    id: newId("workspace"),
    name,
    description: "",
    created_at: time,
    updated_at: time,
  }))
  await database.write((queries) =>
    queries
      .insertInto("workspaces")
      .values(rows)
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute(),
  )
}

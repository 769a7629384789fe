import {
  AssayError,
  BUILT_IN_WORKSPACES,
  formatTimestamp,
  type ListingQuery,
  type Pagination,
  type Workspace,
  type WORKSPACE_LISTING,
} from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import type { Database } from "../database/database.ts"
import type { WorkspaceTable } from "../database/tables.ts"
import { allOf, anyOf, containsText } from "../filter/conditions.ts"
import { checkStorable } from "../records/check-body.ts"
import { workspaceNotFound } from "../records/not-found.ts"
import { orderOf, readRecords } from "../records/read-records.ts"
import { changeTime, createRecord } from "../records/write-records.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { Workspaces, SortedQuery, VisibleWorkspaces } from "../registry.ts"
import { removeWorkspace } from "./remove-workspace.ts"

export function createWorkspaces(context: RegistryContext): Workspaces {
  const { database, now, newId } = context
  return {
    async create(body) {
      checkStorable(body)
      const { name, description = "" } = body
      const time = now()
      const row = { id: newId("workspace"), name, description, created_at: time, updated_at: time }
      const taken = () => new AssayError("already_exists", `Workspace '${name}' already exists`)
      await createRecord(database, (queries) => queries.insertInto("workspaces").values(row).execute(), { taken })
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

    async update(name, { description }) {
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
function workspaceOf({ id, name, description, created_at, updated_at }: Selectable<WorkspaceTable>): Workspace {
  return {
    id,
    name,
    description,
    created_at: formatTimestamp(created_at),
    updated_at: formatTimestamp(updated_at),
  }
}

export interface WorkspaceQuery extends SortedQuery {
  readonly where?: ListingQuery<(typeof WORKSPACE_LISTING.filter)[number], (typeof WORKSPACE_LISTING.search)[number]>
}

/** Reads a page of the visible workspaces. */
async function listWorkspaces(
  database: Database,
  { sort, where = { equals: {}, contains: {} }, ...query }: WorkspaceQuery,
  visible: VisibleWorkspaces,
): Promise<{ rows: readonly Selectable<WorkspaceTable>[]; pagination: Pagination }> {
  const { from, to } = where.created_at ?? {}
  const condition = allOf([
    ...(visible === "all" ? [] : [anyOf(visible.map((name) => sql`name = ${name}`))]),
    ...Object.entries(where.equals).map(([field, value]) => sql<boolean>`${sql.ref(field)} = ${value}`),
    ...Object.entries(where.contains).map(([field, part]) => containsText(database.dialect, field, part)),
    ...(from === undefined ? [] : [sql<boolean>`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`created_at <= ${to}`]),
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

import { AssayError, formatTimestamp, type Workspace } from "@assay/schemas"
import type { Selectable } from "kysely"
import type { WorkspaceTable } from "../database/tables.ts"
import { checkStorable } from "../records/check-body.ts"
import { workspaceNotFound } from "../records/not-found.ts"
import { changeTime, createRecord } from "../records/write-records.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { Workspaces } from "../registry.ts"
import { listWorkspaces } from "./list-workspaces.ts"
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

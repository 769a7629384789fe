import { AssayError } from "@assay/schemas"
import { checkStorable } from "../check-storable.ts"
import { changeTime } from "../database/change-time.ts"
import { createRecord } from "../database/create-record.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { Workspaces } from "../registry.ts"
import { listWorkspaces } from "./list-workspaces.ts"
import { removeWorkspace } from "./remove-workspace.ts"
import { workspaceNotFound } from "./workspace-errors.ts"
import { workspaceOf } from "./workspace-of.ts"

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

    remove: (name, options) => removeWorkspace(context, name, options),
  }
}

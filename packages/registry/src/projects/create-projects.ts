import {
  AssayError,
  checkSameName,
  type CreateProject,
  formatTimestamp,
  type Project,
  PROJECT_FILTER_FIELDS,
} from "@assay/schemas"
import type { Selectable } from "kysely"
import {
  type ProjectTable,
  filteredBy,
  type FilteredTable,
  notFoundIn,
  checkWorkspace,
  workspaceMissing,
  orderOf,
  readRecords,
  changeTime,
  checkStorable,
  createRecord,
} from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import type { Projects } from "./projects.ts"

const PROJECTS: FilteredTable = { name: "projects", fields: PROJECT_FILTER_FIELDS, folded: [] }

export function createProjects(context: RegistryContext): Projects {
  const { database, now } = context
  return {
    create: (workspace, body) => insertProject(context, workspace, body),

    async list(workspace, { sort, filter, ...query }) {
      const { column, direction } = orderOf(sort)
      const { rows, pagination } = await readRecords(database, query, (queries) =>
        queries
          .selectFrom("projects")
          .selectAll()
          .where("workspace", "=", workspace)
          .where(filteredBy(filter, database.dialect, PROJECTS))
          .orderBy(column, direction)
          .orderBy("id"),
      )
      if (rows.length === 0) await database.read((queries) => checkWorkspace(queries, workspace))
      return { data: rows.map(projectOf), pagination }
    },

    async get(workspace, name) {
      const row = await database.read((queries) =>
        queries
          .selectFrom("projects")
          .selectAll()
          .where((row) => row.and({ workspace, name }))
          .executeTakeFirst(),
      )
      if (row === undefined) throw await notFoundIn(database, workspace, "Project", name)
      return projectOf(row)
    },

    async update(workspace, name, { name: given, description }) {
      checkSameName(given, name)
      checkStorable({ description })
      const row = await database.write((queries) =>
        queries
          .updateTable("projects")
          .set({ description, updated_at: changeTime(now()) })
          .where((row) => row.and({ workspace, name }))
          .returningAll()
          .executeTakeFirst(),
      )
      if (row === undefined) throw await notFoundIn(database, workspace, "Project", name)
      return projectOf(row)
    },

    async remove(workspace, name) {
      const row = await database.write((queries) =>
        queries
          .deleteFrom("projects")
          .where((row) => row.and({ workspace, name }))
          .returningAll()
          .executeTakeFirst(),
      )
      if (row === undefined) throw await notFoundIn(database, workspace, "Project", name)
      return projectOf(row)
    },
  }
}

async function insertProject(
  { database, now, newId }: RegistryContext,
  workspace: string,
  body: CreateProject,
): Promise<Project> {
  checkStorable(body)
  const { name, description = "" } = body
  const time = now()
  const row = { id: newId("project"), name, workspace, description, created_at: time, updated_at: time }
  await createRecord(database, (queries) => queries.insertInto("projects").values(row).execute(), {
    taken: () => new AssayError("already_exists", `Project '${workspace}/${name}' already exists`),
    missingParent: () => workspaceMissing(workspace),
  })
  return projectOf(row)
}

function projectOf({ id, name, workspace, description, created_at, updated_at }: Selectable<ProjectTable>): Project {
  return {
    id,
    name,
    workspace,
    description,
    created_at: formatTimestamp(created_at),
    updated_at: formatTimestamp(updated_at),
  }
}

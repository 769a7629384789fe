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
import { sql, type Selectable } from "kysely"
import type { Database, Queries, WorkspaceTable } from "@assay/database"
import { deleteDropped, dropOfWorkspace } from "../filesets/removal/create-trash.ts"
import { removeFilesets } from "../filesets/removal/remove-filesets.ts"
import { removeJournalFiles } from "../jobs/shards/job-journal.ts"
import type { ShardedJournalContext } from "../jobs/shards/read-contents.ts"
import { isNotDiscarded } from "../jobs/trash-of-jobs.ts"
import { allOf, containsText, filteredBy, type FilteredTable, isWithin } from "../records/compile-filter.ts"
import { workspaceNotFound } from "../records/not-found.ts"
import { orderOf, readRecords } from "../records/read-records.ts"
import { changeTime, checkStorable, createRecord } from "../records/write-records.ts"
import type { RegistryContext } from "../registry-context.ts"
import { keepUsage, returnUsage } from "./kept-month-usage.ts"
import type { Workspaces } from "./workspaces.ts"
import type { VisibleWorkspaces } from "../records/queries.ts"

type WorkspacesContext = RegistryContext & ShardedJournalContext

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
function workspaceOf({ id, name, description, created_at, updated_at }: Selectable<WorkspaceTable>): Workspace {
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
): Promise<{ rows: readonly Selectable<WorkspaceTable>[]; pagination: Pagination }> {
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

type WorkspaceRow = Selectable<WorkspaceTable>

/** Filesets that are removed in one transaction. A small number, so that other transactions do not wait long. */
const CHUNK = 100

async function removeWorkspace(
  context: WorkspacesContext,
  name: string,
  { cascade }: { readonly cascade: boolean },
): Promise<WorkspaceRow> {
  const isBuiltIn = BUILT_IN_WORKSPACES.some((builtIn) => builtIn === name)
  if (isBuiltIn) throw new AssayError("in_use", `Workspace '${name}' is built in and can't be deleted`)
  let dropped: Awaited<ReturnType<typeof dropOfWorkspace>> = []
  const removeRow = async (queries: Queries) => {
    const row = await removeIfFree(queries, { context, name, cascade })
    if (row === undefined) return undefined
    dropped = await dropOfWorkspace(queries, context, name)
    await queries.deleteFrom("workspaces").where("name", "=", name).execute()
    return row
  }
  const removed = await removeWithContents(context, name, removeRow)
  deleteDropped(context, dropped)
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
    await removeJournals(context, name)
    // The last filesets and the workspace go in one transaction: an error leaves them all.
    const { after } = await removeFilesets(context, (filesets) => filesets.where("workspace", "=", name).limit(CHUNK), {
      after: removeRow,
    })
    if (after !== undefined) return after
  }
}

/** Removes the files of the journals of all jobs that are cut into shards. */
async function removeJournals(context: WorkspacesContext, workspace: string): Promise<void> {
  const { database } = context
  const jobs = await database.read((queries) => shardedJobsIn(queries, workspace).execute())
  for (const { job_id } of jobs) {
    await removeJournalFiles(context, job_id)
    // Workers that still have shards can no longer write.
    await database.write((queries) =>
      queries.deleteFrom("evaluation_sharded_jobs").where("job_id", "=", job_id).execute(),
    )
  }
}

function shardedJobsIn(queries: Queries, workspace: string) {
  return queries
    .selectFrom("evaluation_sharded_jobs")
    .innerJoin("evaluation_jobs", "evaluation_jobs.id", "evaluation_sharded_jobs.job_id")
    .select("job_id")
    .where("namespace", "=", workspace)
}

/** Returns the row of a workspace that can be removed now. Undefined if filesets or journals, whose files have to be removed first, are left. */
async function removeIfFree(
  queries: Queries,
  { context: { database, now }, name, cascade }: { context: RegistryContext; name: string; cascade: boolean },
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
  const jobs = await countJobsIn(queries, name)
  if (!cascade) checkEmpty(name, { filesets, models, evaluation_jobs: jobs, secrets })
  const sharded = await shardedJobsIn(queries, name).limit(1).executeTakeFirst()
  if (filesets > 0 || sharded !== undefined) return undefined
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

async function countJobsIn(queries: Queries, workspace: string): Promise<number> {
  const { count } = await queries
    .selectFrom("evaluation_jobs")
    .select(sql<number>`count(*)`.as("count"))
    .where("namespace", "=", workspace)
    .where(isNotDiscarded("id"))
    .executeTakeFirstOrThrow()
  return count
}

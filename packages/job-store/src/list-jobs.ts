import type { Pagination } from "@assay/schemas"
import { sql, type Expression, type SqlBool } from "kysely"
import {
  type Database,
  allOf,
  containsText,
  type Condition,
  readRecords,
  type VisibleWorkspaces,
} from "@assay/database"
import { isNotDiscarded } from "./is-discarded.ts"
import type { JobRow } from "./job-row.ts"
import type { JobFilter, JobQuery, JobSearchField } from "./jobs.ts"

const SEARCHED: Readonly<Record<JobSearchField, keyof JobRow>> = {
  id: "id",
  namespace: "namespace",
  description: "description",
  project: "project",
  target: "target_name",
  config: "config_name",
  status: "status",
  rescored_from: "rescored_from",
}

/** Columns without a size limit. */
const LARGE = ["target", "config", "custom_fields", "ownership", "result", "conditions", "pins", "status_details"]

/** Reads a page of jobs, and their total at the same moment. */
export async function listJobs(
  database: Database,
  { sort, filter = {}, search = {}, ...query }: JobQuery,
  visible: VisibleWorkspaces,
): Promise<{ rows: readonly JobRow[]; pagination: Pagination }> {
  const condition = allOf([
    isNotDiscarded("id"),
    ...visibleIn(visible),
    ...filtered(filter),
    ...Object.entries(search).map(([field, part]) =>
      containsText(database.dialect, SEARCHED[field as JobSearchField], part),
    ),
  ])
  const direction = sort.startsWith("-") ? "desc" : "asc"
  const column = sort.endsWith("created_at") ? "created_at" : "updated_at"
  return readRecords(database, { ...query, large: LARGE }, (queries) =>
    queries
      .selectFrom("evaluation_jobs")
      .selectAll()
      .where(condition)
      .orderBy(column, direction)
      // Equal values are ordered by ascending id in both directions.
      .orderBy("id"),
  )
}

function visibleIn(visible: VisibleWorkspaces): Condition[] {
  if (visible === "all") return []
  return [visible.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`namespace in (${sql.join(visible)})`]
}

function filtered({ namespace: workspace, status, target, config, created_at = {} }: JobFilter): Condition[] {
  const conditions: Condition[] = []
  if (workspace !== undefined) conditions.push(sql<SqlBool>`namespace = ${workspace}`)
  if (status !== undefined)
    conditions.push(status.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`status in (${sql.join(status)})`)
  if (target !== undefined) conditions.push(isNamed(sql.ref("target_name"), target))
  if (config !== undefined) conditions.push(isNamed(sql.ref("config_name"), config))
  if (created_at.from !== undefined) conditions.push(sql<SqlBool>`created_at >= ${created_at.from}`)
  if (created_at.to !== undefined) conditions.push(sql<SqlBool>`created_at <= ${created_at.to}`)
  return conditions
}

function isNamed(column: Expression<unknown>, name: string): Condition {
  return name.includes("/") ? sql<SqlBool>`${column} = ${name}` : sql<SqlBool>`${column} = namespace || ${`/${name}`}`
}

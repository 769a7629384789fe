import type { AuditedWrite } from "./audited-write.ts"
import {
  formatTimestamp,
  type AUDIT_LISTING,
  type AuditPage,
  type AuditRecord,
  type ListingQuery,
} from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import {
  type Database,
  type AuditRecordTable,
  allOf,
  anyOf,
  containsText,
  type VisibleWorkspaces,
} from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import { createRecordGroups } from "./audit-groups.ts"
import { rowOf, storeRecords, type Waiting } from "./store-audit-records.ts"
import { createWriteBuffer } from "./write-buffer.ts"

type Fields = (typeof AUDIT_LISTING.filter)[number]

export interface AuditQuery {
  readonly limit: number
  /** `next_cursor` of the page before. */
  readonly cursor?: number | undefined
  readonly where?: ListingQuery<Fields, Fields>
}

/** Records of writes over HTTP. */
export interface Audit {
  /**
   * Records a write. It is stored within a second; a crash before that loses it. Files that a caller writes to a
   * fileset are counted together, and so are failures and deleted files beyond 100 within an hour.
   */
  record(write: AuditedWrite): void
  /** Lists records, newest first. Those without a workspace are only visible to those who see all workspaces. */
  list(query: AuditQuery, visible: VisibleWorkspaces): Promise<AuditPage>
  /** Stores what was recorded a last time. */
  close(): Promise<void>
  /** Removes the records that are older than this, in milliseconds. */
  sweep(age: number): Promise<void>
}

/** Maximum number of records that one page reads, whatever its filter. */
const MAX_READ = 5000
/** Number of records that one transaction removes. */
const SWEPT = 1000

type AuditContext = Pick<RegistryContext, "database" | "now" | "steadyNow" | "log">

export function createAudit({ database, now, steadyNow, log }: AuditContext): Audit {
  const groupWrite = createRecordGroups()
  const buffer = createWriteBuffer<Waiting>(async (waiting) => {
    for (const group of await storeRecords(database, waiting)) buffer.add(group)
  }, log)
  return {
    record(write) {
      const time = now()
      const group = groupWrite(write, time)
      if (group === undefined) buffer.add(rowOf(write, time))
      // A group with more writes waits already.
      else if (group.added === 1) buffer.add(group)
    },
    close: () => buffer.close(),
    async list(query, visible) {
      // A reader sees all writes of this server.
      await buffer.flush()
      return list(database, query, visible)
    },
    async sweep(age) {
      const before = steadyNow() - age
      while ((await sweepSome(database, before)) === SWEPT);
    },
  }
}

async function list(
  database: Database,
  { limit, cursor, where = { equals: {}, contains: {} } }: AuditQuery,
  visible: VisibleWorkspaces,
): Promise<AuditPage> {
  const condition = conditionOf(database, where, visible)
  return database.read(async (queries) => {
    const newest = queries.selectFrom("audit_records").orderBy("seq", "desc").limit(MAX_READ)
    const visited = cursor === undefined ? newest : newest.where("seq", "<", cursor)
    const rows = await queries
      .selectFrom(visited.selectAll().as("visited"))
      .selectAll()
      .where(condition)
      .orderBy("seq", "desc")
      .limit(limit + 1)
      .execute()
    const data = rows.slice(0, limit)
    // A short page ends at the oldest record that was visited, if there can be older ones.
    const end =
      rows.length > limit
        ? data.at(-1)
        : await visited
            .select("seq")
            .offset(MAX_READ - 1)
            .executeTakeFirst()
    return { data: data.map(recordOf), ...(end === undefined ? {} : { next_cursor: String(end.seq) }) }
  })
}

function conditionOf(
  { dialect }: Database,
  { equals, contains, created_at: { from, to } = {} }: NonNullable<AuditQuery["where"]>,
  visible: VisibleWorkspaces,
): ReturnType<typeof allOf> {
  return allOf([
    ...(visible === "all" ? [] : [anyOf(visible.map((name) => sql`workspace = ${name}`))]),
    ...Object.entries(equals).map(([field, value]) => sql<boolean>`${sql.ref(field)} = ${value}`),
    ...Object.entries(contains).map(([field, part]) => containsText(dialect, field, part)),
    ...(from === undefined ? [] : [sql<boolean>`coalesce(last_at, created_at) >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`created_at <= ${to}`]),
  ])
}

function recordOf(row: Selectable<AuditRecordTable>): AuditRecord {
  const { token, token_name, method, action, kind, workspace, name, request, count, subject, address, door } = row
  const created_at = formatTimestamp(row.created_at)
  const last_at = row.last_at === null ? created_at : formatTimestamp(row.last_at)
  const status = Number(row.status)
  const who = { token, token_name, subject, address, door }
  return { created_at, ...who, method, action, kind, workspace, name, status, request, count, last_at }
}

/** Removes up to `SWEPT` of the oldest records, as far as they are older than a moment. Returns how many. */
async function sweepSome(database: Database, before: number): Promise<number> {
  return database.write(async (queries) => {
    const oldest = await queries
      .selectFrom("audit_records")
      .select(["seq", "created_at"])
      .orderBy("seq")
      .limit(SWEPT)
      .execute()
    const expired = oldest.filter(({ created_at }) => created_at < before).map(({ seq }) => seq)
    const last = expired.at(-1)
    if (last === undefined) return 0
    await queries.deleteFrom("audit_records").where("seq", "<=", last).where("created_at", "<", before).execute()
    return expired.length
  })
}

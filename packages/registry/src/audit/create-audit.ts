import {
  formatTimestamp,
  type AUDIT_LISTING,
  type AuditPage,
  type AuditRecord,
  type ListingQuery,
} from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import type { Database } from "../database/database.ts"
import type { AuditRecordTable } from "../database/tables.ts"
import { allOf, anyOf, containsText } from "../filter/compile-filter.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { VisibleWorkspaces } from "../registry.ts"
import { createWriteBuffer } from "./write-buffer.ts"

/** A write to record. */
export type AuditedWrite = Omit<AuditRecord, "created_at">

type Fields = (typeof AUDIT_LISTING.filter)[number]

export interface AuditQuery {
  readonly limit: number
  /** `next_cursor` of the page before. */
  readonly cursor?: number | undefined
  readonly where?: ListingQuery<Fields, Fields>
}

/** Records of writes over HTTP. */
export interface Audit {
  /** Records a write. It is stored within a second; a crash before that loses it. */
  record(write: AuditedWrite): void
  /** Lists records, newest first. Those without a workspace are only visible to those who see all workspaces. */
  list(query: AuditQuery, visible: VisibleWorkspaces): Promise<AuditPage>
  /** Stores what was recorded a last time. */
  close(): Promise<void>
  /** Removes the records that are older than a moment, in milliseconds since 1970. */
  sweep(before: number): Promise<void>
}

/** Maximum number of records that one page reads, whatever its filter. */
const MAX_READ = 5000
/** Number of records that one transaction removes. */
const SWEPT = 1000
/** Longer texts are cut. A path of a file has at most 1024 bytes. */
const MAX_TEXT = 1400

const COLUMNS = [
  "created_at",
  "token",
  "token_name",
  "method",
  "action",
  "kind",
  "workspace",
  "name",
  "status",
  "request",
] as const

/** The values of the columns, in their order. */
type Row = readonly (string | number | null)[]

export function createAudit({ database, now, log }: Pick<RegistryContext, "database" | "now" | "log">): Audit {
  const buffer = createWriteBuffer<Row>((rows) => insert(database, rows), log)
  return {
    record: (write) => buffer.add(rowOf(write, now())),
    close: () => buffer.close(),
    async list(query, visible) {
      // Whoever reads sees all writes of this server.
      await buffer.flush()
      return list(database, query, visible)
    },
    async sweep(before) {
      while ((await sweepSome(database, before)) === SWEPT);
    },
  }
}

function rowOf(write: AuditedWrite, time: number): Row {
  const { token, token_name, method, action, kind, workspace, name, status, request } = write
  const texts = [token, token_name, method, action, kind, workspace, name, String(status), request]
  return [time, ...texts.map(storable)]
}

/** Makes a text of a request fit for every database and terminal: bounded, without control characters and halves of surrogate pairs. */
function storable(text: string | null): string | null {
  if (text === null) return null
  return text.slice(0, MAX_TEXT).replaceAll("\0", "\uFFFD").replaceAll(CONTROLS, escaped).toWellFormed()
}

/** Characters that could move the cursor of a terminal or begin another line. */
// oxlint-disable-next-line no-control-regex -- these are the characters
const CONTROLS = /[\u0001-\u001f\u007f-\u009f\u2028\u2029]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
}

/** Inserts rows as one parameter: a statement with a parameter for each value costs more than the rest. */
async function insert(database: Database, rows: readonly Row[]): Promise<void> {
  const values = COLUMNS.map((name, index) => {
    const value = sql`value->>${sql.lit(index)}`
    return name === "created_at" ? sql`cast(${value} as bigint)` : value
  })
  const columns = sql.join(COLUMNS.map((name) => sql.ref(name)))
  const elements = database.dialect.jsonElements(JSON.stringify(rows))
  await database.write((queries) =>
    sql`insert into audit_records (${columns}) select ${sql.join(values)} from ${elements}`.execute(queries),
  )
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
    ...(from === undefined ? [] : [sql<boolean>`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`created_at <= ${to}`]),
  ])
}

function recordOf(row: Selectable<AuditRecordTable>): AuditRecord {
  const { token, token_name, method, action, kind, workspace, name, request } = row
  const created_at = formatTimestamp(row.created_at)
  return { created_at, token, token_name, method, action, kind, workspace, name, status: Number(row.status), request }
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

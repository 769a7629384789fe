import { sql } from "kysely"
import type { Database, Queries } from "@assay/database"
import type { AuditedWrite } from "./audited-write.ts"
import type { RecordGroup } from "./audit-groups.ts"

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
  "subject",
  "address",
  "door",
] as const

/** The values of the columns, in their order. */
type Row = readonly (string | number | null)[]

/** A record that waits to be stored: the row of a write, or a group with new writes. */
export type Waiting = Row | RecordGroup

/** Returns the values of a write. */
export function rowOf(write: AuditedWrite, time: number): Row {
  const { token, token_name, method, action, kind, workspace, name, status, request, subject, address, door } = write
  const texts = [
    token,
    token_name,
    method,
    action,
    kind,
    workspace,
    name,
    String(status),
    request,
    subject,
    address,
    door,
  ]
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

/** Stores what waits in its order, and returns the groups that got more writes meanwhile. */
export async function storeRecords(database: Database, waiting: readonly Waiting[]): Promise<readonly RecordGroup[]> {
  const groups = waiting.filter(isGroup)
  const counted = new Map(groups.map((group) => [group, { added: group.added, last: group.last }]))
  const keys = await database.write(async (queries) => {
    const begun = new Map<RecordGroup, number>()
    let rows: Row[] = []
    for (const item of waiting) {
      if (!isGroup(item)) {
        rows.push(item)
        continue
      }
      const part = counted.get(item)
      if (item.seq !== undefined || part === undefined) continue
      if (rows.length > 0) await insert(database, queries, rows)
      rows = []
      begun.set(item, await begin(queries, item, part.added, part.last))
    }
    if (rows.length > 0) await insert(database, queries, rows)
    const known = [...counted].flatMap(([{ seq, name }, { added, last }]) =>
      seq === undefined ? [] : [[seq, added, last, storable(name)] as const],
    )
    if (known.length > 0) await count(database, queries, known)
    return begun
  })
  for (const [group, { added }] of counted) {
    group.seq ??= keys.get(group)
    group.added -= added
  }
  return groups.filter(({ added }) => added > 0)
}

function isGroup(item: Waiting): item is RecordGroup {
  return "added" in item
}

/** Inserts rows as one parameter: a statement with a parameter for each value costs more than the rest. */
async function insert({ dialect }: Database, queries: Queries, rows: readonly Row[]): Promise<void> {
  const values = COLUMNS.map((name, index) => {
    const value = sql`value->>${sql.lit(index)}`
    return name === "created_at" ? sql`cast(${value} as bigint)` : value
  })
  const columns = sql.join(COLUMNS.map((name) => sql.ref(name)))
  const elements = dialect.jsonElements(JSON.stringify(rows))
  await sql`insert into audit_records (${columns}) select ${sql.join(values)} from ${elements}`.execute(queries)
}

/** Inserts the record of a group. Returns its key. */
async function begin(
  queries: Queries,
  { write, name, began }: RecordGroup,
  count: number,
  last_at: number,
): Promise<number> {
  const [, ...texts] = rowOf(count > 1 ? { ...write, name } : write, began)
  const columns = sql.join([...COLUMNS, "count", "last_at"].map((name) => sql.ref(name)))
  const values = sql.join([began, ...texts, count, last_at])
  const insertion = sql<{ seq: number }>`insert into audit_records (${columns}) values (${values}) returning seq`
  const { rows } = await insertion.execute(queries)
  return Number(rows[0]?.seq)
}

/** The key of a record, what to add to its count, the time of the last write, and the name of several writes. */
type Addition = readonly [seq: number, count: number, last: number, name: string | null]

/** Adds to the counts of groups. */
async function count({ dialect }: Database, queries: Queries, added: readonly Addition[]): Promise<void> {
  const value = (index: number) => sql`cast(value->>${sql.lit(index)} as bigint)`
  const elements = dialect.jsonElements(JSON.stringify(added))
  await sql`update audit_records set count = audit_records.count + ${value(1)}, last_at = ${value(2)}, name = value->>3
    from ${elements} where seq = ${value(0)}`.execute(queries)
}

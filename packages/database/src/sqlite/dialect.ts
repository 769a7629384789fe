import type { Filter } from "@assay/schemas"
import { isExactNumber, type ExactNumber } from "@assay/json"
import { sql, type Expression, type SqlBool } from "kysely"
import type { Queries } from "../database.ts"
import type { Candidates, JsonPath, SqlDialect, StatementFailure } from "../sql-dialect.ts"
import { orderOf } from "./number-order.ts"
import { SQLITE_DETACHMENT } from "./detach-file-records.ts"
import { INDEXED, SQLITE_SEARCH_BATCHES } from "./search-batches.ts"
import { SQLITE_RENAMES, SQLITE_SCHEMA, SQLITE_USAGE } from "./schema.ts"
import { searchExpression } from "./search-expression.ts"

export const SQLITE_DIALECT: SqlDialect = {
  types: {
    text: sql`text`,
    json: sql`text`,
    bytes: sql`blob`,
    integer: sql`integer`,
    key: sql`integer primary key`,
  },
  clustered: sql`without rowid`,
  async finishSchema(queries) {
    for (const statement of SQLITE_SCHEMA) await sql.raw(statement).execute(queries)
  },
  async indexRenames(queries) {
    for (const statement of SQLITE_RENAMES) await sql.raw(statement).execute(queries)
  },
  async countFiles(queries) {
    for (const statement of SQLITE_USAGE) await sql.raw(statement).execute(queries)
  },
  partitionDigests: async () => {},
  async detachFileRecords(queries) {
    for (const statement of SQLITE_DETACHMENT) await sql.raw(statement).execute(queries)
  },
  async searchInBatches(queries) {
    for (const statement of SQLITE_SEARCH_BATCHES) await sql.raw(statement).execute(queries)
  },
  contains: (text, part) => sql<SqlBool>`instr(${text}, ${part}) > 0`,
  lower: (text) => sql`lower(${text})`,
  bytesOf: (text, { start, length }) => sql<Uint8Array>`substr(cast(${text} as blob), ${start + 1}, ${length})`,
  json: jsonPath,
  candidates,
  unindexed: (column) => sql`+${column}`,
  clock: undefined,
  jsonElements: (list) => sql`json_each(${list})`,
  forUpdate: sql``,
  forUpdateOfFree: sql``,
  forChange: sql``,
  findDamage,
  failureOf,
}

/** Checks the whole file: pages, indexes and foreign keys. */
async function findDamage(queries: Queries): Promise<readonly string[]> {
  const checked = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(queries)
  const orphans = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(queries)
  return [
    ...checked.rows.map(({ integrity_check }) => integrity_check).filter((line) => line !== "ok"),
    ...orphans.rows.slice(0, 100).map(({ table, parent }) => `A row of ${table} refers to a missing row of ${parent}.`),
  ]
}

/** With more candidates, the next match in any order is likely to be near. */
const FEW = 2000

async function candidates(queries: Queries, filter: Filter): Promise<Candidates | undefined> {
  const expression = searchExpression(filter)
  if (expression === undefined) return undefined
  const found = sql`select rowid from fileset_search where fileset_search match ${expression}
    union all select seq from filesets where fields_folded = ''
    union all select seq from filesets where seq > ${sql.raw(INDEXED)}`
  const { rows } = await sql`${found} limit 1 offset ${FEW}`.execute(queries)
  return { condition: sql`filesets.seq in (${found})`, areFew: rows.length === 0 }
}

/**
 * Shorter JSON never has more than the 1,000 levels that SQLite can read, because each level takes two brackets. In bytes.
 * Checking the size is cheap, checking the text is not.
 */
const NEVER_TOO_DEEP = 2000

/**
 * Returns the JSON of a column, or null if SQLite can't read it. Otherwise a single record that is too deep would fail every
 * query that reads it. Older versions stored such records.
 */
function readable(column: Expression<unknown>): Expression<unknown> {
  return sql`case when octet_length(${column}) < ${sql.lit(NEVER_TOO_DEEP)} or json_valid(${column}) then ${column} end`
}

/**
 * Matches if the text of a map contains `part`. The registry writes maps with `JSON.stringify`, so a text or a word has only one form.
 * Most rows fail this, and it costs a fraction of parsing the text.
 */
function hasText(source: Expression<unknown>, part: string): Expression<SqlBool> {
  return sql<SqlBool>`instr(${source}, ${part}) > 0`
}

/**
 * `json_extract` returns typed values, but numbers look like booleans, and text looks like objects. Most rows fail the
 * comparison, so it comes before the check of the type.
 */
function jsonPath(source: Expression<unknown>, path: readonly string[]): JsonPath {
  const column = readable(source)
  const pointer = `$${path.map((key) => `.${JSON.stringify(key)}`).join("")}`
  const type = sql`json_type(${column}, ${pointer})`
  const value = sql`json_extract(${column}, ${pointer})`
  const isText = sql<SqlBool>`${type} = 'text'`
  const isNumber = sql<SqlBool>`${type} in ('integer', 'real')`
  // A guard, because SQLite may compute the order of a text.
  const order = (bound: number | ExactNumber) =>
    sql<number>`case when ${isNumber} then ${orderOf({ text: sql`${column} -> ${pointer}`, value }, bound)} end`
  return {
    isNull: () => sql<SqlBool>`coalesce(${type}, 'null') = 'null'`,
    equals(wanted) {
      const key = `${JSON.stringify(path.at(-1))}:`
      // Only numbers are written in several forms.
      if (isNumeric(wanted)) return sql<SqlBool>`(${hasText(source, key)} and ${order(wanted)} = 0)`
      const member = hasText(source, key + JSON.stringify(wanted))
      if (typeof wanted === "boolean") return sql<SqlBool>`(${member} and ${type} = ${String(wanted)})`
      return sql<SqlBool>`(${member} and ${value} = ${wanted} and ${isText})`
    },
    isOrdered(operator, bound) {
      const sign = sql.raw(operator)
      if (isNumeric(bound)) return sql<SqlBool>`(${order(bound)} ${sign} 0)`
      return sql<SqlBool>`(${value} ${sign} ${bound} and ${isText})`
    },
    contains(part) {
      const isWritten = hasText(source, JSON.stringify(part).slice(1, -1))
      return sql<SqlBool>`(${isWritten} and instr(${value}, ${part}) > 0 and ${isText})`
    },
    text: () => sql<string | null>`case when ${isText} then ${value} end`,
  }
}

function isNumeric(value: string | number | ExactNumber | boolean): value is number | ExactNumber {
  return typeof value === "number" || isExactNumber(value)
}

/** Result codes of SQLite. Some are without the upper byte, which only identifies the lock or file. */
const FAILURES: Readonly<Record<number, StatementFailure>> = {
  5: "unavailable",
  6: "unavailable",
  7: "disk_failed",
  10: "disk_failed",
  // The error of a statement if the disk fails to read a page.
  11: "disk_failed",
  13: "disk_full",
  14: "unavailable",
  787: "missing_parent",
  1555: "taken",
  // The only triggers that fail are those of `SQLITE_DETACHMENT`.
  1811: "missing_parent",
  2067: "taken",
}

function failureOf(error: unknown): StatementFailure | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined
  return FAILURES[error.errcode] ?? FAILURES[error.errcode & 0xff]
}

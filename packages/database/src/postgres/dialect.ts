import { canonicalDecimal, exactNumber, isExactNumber, type ExactNumber } from "@assay/json"
import { sql, type Expression, type SqlBool } from "kysely"
import { messageOf } from "@assay/schemas"
import type { Queries } from "../database.ts"
import type { JsonPath, OrderOperator, SqlDialect, StatementFailure } from "../sql-dialect.ts"
import { POSTGRES_DETACHMENT } from "./detach-file-records.ts"
import { POSTGRES_PARTITIONS } from "./partitions.ts"
import { POSTGRES_SCHEMA, POSTGRES_USAGE } from "./schema.ts"

export const POSTGRES_DIALECT: SqlDialect = {
  types: {
    text: sql`text collate "C"`,
    // Not jsonb, which changes the order of keys. Both databases return a record as it was written.
    json: sql`json`,
    bytes: sql`bytea`,
    integer: sql`bigint`,
    key: sql`bigint generated always as identity primary key`,
  },
  clustered: sql``,
  async finishSchema(queries) {
    for (const statement of POSTGRES_SCHEMA) await sql.raw(statement).execute(queries)
  },
  // The indexes of PostgreSQL follow every column.
  indexRenames: async () => {},
  async countFiles(queries) {
    for (const statement of POSTGRES_USAGE) await sql.raw(statement).execute(queries)
  },
  async partitionDigests(queries) {
    for (const statement of POSTGRES_PARTITIONS) await sql.raw(statement).execute(queries)
  },
  async detachFileRecords(queries) {
    for (const statement of POSTGRES_DETACHMENT) await sql.raw(statement).execute(queries)
  },
  // It has no search index.
  searchInBatches: async () => {},
  contains: (text, part) => sql<SqlBool>`${text} like ${patternOf(part)}`,
  lower: (text) => sql`lower(${text} collate "C")`,
  bytesOf: (text, { start, length }) =>
    sql<Uint8Array>`substring(convert_to(${text}, 'UTF8') from ${start + 1}::int for ${length}::int)`,
  json: jsonPath,
  candidates: async () => undefined,
  unindexed: (column) => column,
  // Not `now()`, which is the start of the transaction. It may have waited for a lock since.
  clock: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  jsonElements: (list) => sql`json_array_elements(cast(${list} as json))`,
  forUpdate: sql`for update`,
  forUpdateOfFree: sql`for update skip locked`,
  forChange: sql`for no key update`,
  findDamage,
  failureOf,
}

/** Reads every row of every table, and checks every index if the extension amcheck is installed. */
async function findDamage(queries: Queries): Promise<readonly string[]> {
  const damage: string[] = []
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      damage.push(`${what}: ${messageOf(error)}`)
    }
  }
  const tables = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(queries)
  for (const { name } of tables.rows) {
    const table = sql.table(name)
    await attempt(`Table ${name}`, () => sql`select sum(length(t::text)) from ${table} t`.execute(queries))
  }
  const amcheck = await sql`select 1 from pg_extension where extname = 'amcheck'`.execute(queries)
  if (amcheck.rows.length === 0) return damage
  const indexes = await sql<{ oid: number; name: string }>`select c.oid::int as oid, c.relname as name
    from pg_class c join pg_am a on a.oid = c.relam join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'i' and a.amname = 'btree' and n.nspname = current_schema()`.execute(queries)
  for (const { oid, name } of indexes.rows) {
    await attempt(`Index ${name}`, () => sql`select bt_index_check(${oid}::oid::regclass, true)`.execute(queries))
  }
  return damage
}

/** Returns a pattern for `like`, which the trigram index supports. It does not support `strpos`. */
function patternOf(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

function jsonPath(column: Expression<unknown>, path: readonly string[]): JsonPath {
  let json: Expression<unknown> = column
  for (const key of path) json = sql`${json} -> ${key}::text`
  const type = sql`json_typeof(${json})`
  const text = sql`((${json}) #>> '{}') collate "C"`
  // Only a `case` guarantees that PostgreSQL checks the type before it reads a text as a number.
  const where = (wanted: string, condition: Expression<unknown>) =>
    sql<SqlBool>`case when ${type} = ${wanted} then ${condition} end`
  const compare = (sign: OrderOperator | "=", value: string | number | ExactNumber) =>
    typeof value === "string"
      ? where("string", sql`${text} ${sql.raw(sign)} ${value}`)
      : where("number", sql`((${json}) #>> '{}')::numeric ${sql.raw(sign)} ${numericText(value)}::numeric`)
  return {
    isNull: () => sql<SqlBool>`coalesce(${type}, 'null') = 'null'`,
    equals(value) {
      const isEqual =
        typeof value === "boolean" ? where("boolean", sql`${text} = ${String(value)}`) : compare("=", value)
      // The index over the whole map serves the first part.
      return sql<SqlBool>`(${column}::jsonb @> ${sampleOf(path, isExactNumber(value) ? exactNumber(numericText(value)) : value)}::jsonb and ${isEqual})`
    },
    isOrdered: compare,
    contains: (part) => where("string", sql`${text} like ${patternOf(part)}`),
    text: () => sql<string | null>`case when ${type} = 'string' then ${text} end`,
  }
}

/** Matches a canonical decimal with an exponent. */
const BEYOND = /^(-?)0\.\d+e(-?\d+)$/u
/** Largest exponent that is passed on. The range of JSON numbers in records is smaller: no record has a number as large, or as near to 0. */
const MAX_POWER = 400

/** Returns the text of a number in the range of `numeric`. One beyond all numbers of records is replaced by another such number. */
function numericText(value: number | ExactNumber): string {
  if (!isExactNumber(value)) return String(value)
  const [, sign = "", power = "0"] = BEYOND.exec(canonicalDecimal(value.rawJSON)) ?? []
  if (Math.abs(Number(power)) <= MAX_POWER) return value.rawJSON
  return `${sign}1e${power.startsWith("-") ? "-" : ""}${MAX_POWER}`
}

/** Returns the smallest map with `value` at `path`. */
function sampleOf(path: readonly string[], value: unknown): string {
  return JSON.stringify(path.reduceRight((inner, key) => Object.fromEntries([[key, inner]]), value))
}

const FAILURES: Readonly<Record<string, StatementFailure>> = {
  "22021": "unstorable",
  "25P03": "unavailable",
  "23503": "missing_parent",
  "23505": "taken",
  "40001": "unavailable",
  "40P01": "unavailable",
  "53100": "disk_full",
  "53300": "unavailable",
  "55P03": "locked",
  "57P01": "unavailable",
  "57P02": "unavailable",
  "57P03": "unavailable",
}

/** Messages of a broken connection. These errors have no code. */
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

function failureOf(error: unknown): StatementFailure | undefined {
  if (!(error instanceof Error)) return undefined
  if (BROKEN.test(error.message) || "syscall" in error) return "unavailable"
  return "code" in error && typeof error.code === "string" ? FAILURES[error.code] : undefined
}

import { sql, type Expression, type SqlBool } from "kysely"
import type { JsonPlace, OrderOperator, SqlDialect, StatementFailure } from "../sql-dialect.ts"
import { POSTGRES_SCHEMA } from "./postgres-schema.ts"

export const POSTGRES_DIALECT: SqlDialect = {
  types: {
    text: sql`text collate "C"`,
    // Not jsonb, which changes the order of keys: a record comes back as it was written, from both databases.
    json: sql`json`,
    bytes: sql`bytea`,
    integer: sql`bigint`,
    key: sql`bigint generated always as identity primary key`,
  },
  clustered: sql``,
  async finishSchema(queries) {
    for (const statement of POSTGRES_SCHEMA) await sql.raw(statement).execute(queries)
  },
  contains: (text, part) => sql<SqlBool>`${text} like ${patternOf(part)}`,
  lower: (text) => sql`lower(${text} collate "C")`,
  json: jsonPlace,
  candidates: async () => undefined,
  unindexed: (column) => column,
  // Not `now()`: that is when the transaction began, which may have waited for a lock since.
  clock: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  forUpdate: sql`for update`,
  failureOf,
}

/** `like` instead of `strpos`: the trigram index answers it. */
function patternOf(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

function jsonPlace(column: Expression<unknown>, path: readonly string[]): JsonPlace {
  let json: Expression<unknown> = column
  for (const key of path) json = sql`${json} -> ${key}::text`
  const type = sql`json_typeof(${json})`
  const text = sql`((${json}) #>> '{}') collate "C"`
  // PostgreSQL is free to read a text as a number before it looks at the type, but not in a `case`.
  const where = (wanted: string, condition: Expression<unknown>) =>
    sql<SqlBool>`case when ${type} = ${wanted} then ${condition} end`
  const compare = (sign: OrderOperator | "=", value: string | number) =>
    typeof value === "number"
      ? where("number", sql`((${json}) #>> '{}')::numeric ${sql.raw(sign)} ${String(value)}::numeric`)
      : where("string", sql`${text} ${sql.raw(sign)} ${value}`)
  return {
    isNull: () => sql<SqlBool>`coalesce(${type}, 'null') = 'null'`,
    equals(value) {
      const isEqual =
        typeof value === "boolean" ? where("boolean", sql`${text} = ${String(value)}`) : compare("=", value)
      // The index over the whole map narrows it down.
      return sql<SqlBool>`(${column}::jsonb @> ${sampleOf(path, value)}::jsonb and ${isEqual})`
    },
    isOrdered: compare,
    contains: (part) => where("string", sql`${text} like ${patternOf(part)}`),
  }
}

/** The smallest map that has `value` at `path`. */
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
  "57P01": "unavailable",
  "57P02": "unavailable",
  "57P03": "unavailable",
}

/** What the connection says when it breaks, which has no code. */
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

function failureOf(error: unknown): StatementFailure | undefined {
  if (!(error instanceof Error)) return undefined
  if (BROKEN.test(error.message) || "syscall" in error) return "unavailable"
  return "code" in error && typeof error.code === "string" ? FAILURES[error.code] : undefined
}

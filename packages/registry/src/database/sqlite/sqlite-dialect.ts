import type { Filter } from "@assay/schemas"
import { sql, type Expression, type SqlBool } from "kysely"
import type { Queries } from "../database.ts"
import type { Candidates, JsonPlace, SqlDialect, StatementFailure } from "../sql-dialect.ts"
import { searchExpression } from "./search-expression.ts"
import { SQLITE_SCHEMA } from "./sqlite-schema.ts"

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
  contains: (text, part) => sql<SqlBool>`instr(${text}, ${part}) > 0`,
  lower: (text) => sql`lower(${text})`,
  json: jsonPlace,
  candidates,
  unindexed: (column) => sql`+${column}`,
  clock: undefined,
  forUpdate: sql``,
  failureOf,
}

/** With more candidates than that, the next match is likely to be near in any order. */
const FEW = 2000

async function candidates(queries: Queries, filter: Filter): Promise<Candidates | undefined> {
  const expression = searchExpression(filter)
  if (expression === undefined) return undefined
  const found = sql`select rowid from fileset_search where fileset_search match ${expression}
    union all select seq from filesets where fields_folded = ''`
  const { rows } = await sql`${found} limit 1 offset ${FEW}`.execute(queries)
  return { condition: sql`filesets.seq in (${found})`, areFew: rows.length === 0 }
}

/** `json_extract` answers with typed values; only numbers and booleans look alike, and text and objects. */
function jsonPlace(column: Expression<unknown>, path: readonly string[]): JsonPlace {
  const place = `$${path.map((key) => `.${JSON.stringify(key)}`).join("")}`
  const type = sql`json_type(${column}, ${place})`
  const value = sql`json_extract(${column}, ${place})`
  const isText = sql<SqlBool>`${type} = 'text'`
  const isNumber = sql<SqlBool>`${type} in ('integer', 'real')`
  // An integer beyond 2^53 would be compared digit by digit, though JSON gave it fewer.
  const number = sql`cast(${value} as real)`
  return {
    isNull: () => sql<SqlBool>`coalesce(${type}, 'null') = 'null'`,
    equals(wanted) {
      if (typeof wanted === "boolean") return sql<SqlBool>`${type} = ${String(wanted)}`
      if (typeof wanted === "number") return sql<SqlBool>`(${isNumber} and ${number} = ${wanted})`
      return sql<SqlBool>`(${isText} and ${value} = ${wanted})`
    },
    isOrdered(operator, bound) {
      const sign = sql.raw(operator)
      if (typeof bound === "number") return sql<SqlBool>`(${isNumber} and ${number} ${sign} ${bound})`
      return sql<SqlBool>`(${isText} and ${value} ${sign} ${bound})`
    },
    contains: (part) => sql<SqlBool>`(${isText} and instr(${value}, ${part}) > 0)`,
  }
}

/** SQLite's result codes, without their upper byte where it only tells which lock or file it was. */
const FAILURES: Readonly<Record<number, StatementFailure>> = {
  5: "unavailable",
  6: "unavailable",
  13: "disk_full",
  14: "unavailable",
  787: "missing_parent",
  1555: "taken",
  2067: "taken",
}

function failureOf(error: unknown): StatementFailure | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined
  return FAILURES[error.errcode] ?? FAILURES[error.errcode & 0xff]
}

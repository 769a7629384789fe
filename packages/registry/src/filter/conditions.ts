import { sql, type Expression, type SqlBool } from "kysely"
import type { SqlDialect } from "../database/sql-dialect.ts"

export type Condition = Expression<SqlBool>

export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`(1 = 1)` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

export function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`(1 = 0)` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/** Returns the complement. A condition on a missing value is null, and its complement is true. */
export function isNot(condition: Condition): Condition {
  return sql<SqlBool>`((${condition}) is not true)`
}

/** Matches if `column` contains `part`. The case of ASCII letters is ignored. */
export function containsText(dialect: SqlDialect, column: string, part: string): Condition {
  const folded = part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return dialect.contains(dialect.lower(sql.ref(column)), folded)
}

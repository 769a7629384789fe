import { sql, type Expression, type SqlBool } from "kysely"
import type { SqlDialect } from "../database/sql-dialect.ts"

export type Condition = Expression<SqlBool>

export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`(1 = 1)` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

export function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql<SqlBool>`(1 = 0)` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/** The complement: a condition on what is missing is null, and its complement holds. */
export function isNot(condition: Condition): Condition {
  return sql<SqlBool>`((${condition}) is not true)`
}

/** Holds where `column` contains `part`, whatever the case of ASCII letters. */
export function containsText(dialect: SqlDialect, column: string, part: string): Condition {
  const folded = part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return dialect.contains(dialect.lower(sql.ref(column)), folded)
}

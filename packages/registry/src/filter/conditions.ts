import { sql, type Expression, type SqlBool } from "kysely"

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

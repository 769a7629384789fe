import {
  FILESET_FILTER_FIELDS,
  type FilesetFilterColumn,
  type Filter,
  type FilterComparison,
  type FilterOperator,
  type FilterScalar,
} from "@assay/schemas"
import { sql, type Expression, type SqlBool } from "kysely"
import type { JsonPath, OrderOperator, SqlDialect } from "../database/sql-dialect.ts"
import { fold } from "./fold.ts"

/**
 * Compiles a filter to a condition on a row of `filesets`. The condition can be null, which counts as false. Negations in it
 * treat null as false too, so the logic stays two-valued.
 */
export function compileFilter(filter: Filter, dialect: SqlDialect): Condition {
  if (filter.kind === "comparison") return compileComparison(filter, dialect)
  if (filter.kind === "not") return isNot(compileFilter(filter.filter, dialect))
  const parts = filter.filters.map((part) => compileFilter(part, dialect))
  return filter.kind === "and" ? allOf(parts) : anyOf(parts)
}

const ORDERS: Readonly<Partial<Record<FilterOperator, OrderOperator>>> = { $lt: "<", $lte: "<=", $gt: ">", $gte: ">=" }

/** Compiles a comparison, which matches if one of the readings of its values matches. */
function compileComparison({ field, operator, operands }: FilterComparison, dialect: SqlDialect): Condition {
  const readings = operands.flatMap((operand) => operand.readings)
  const column = sql.ref(`filesets.${field.column}`)
  const { kind } = FILESET_FILTER_FIELDS[field.column]
  if (kind === "json") {
    const folded = sql`coalesce(${sql.ref(`filesets.${field.column}_folded`)}, ${column})`
    return compareJson(dialect.json(column, field.path), {
      operator,
      readings,
      folded: dialect.json(folded, field.path),
    })
  }
  if (kind === "date") return compareColumn(column, operator, readings.flatMap(momentOf))
  const texts = readings.filter((reading) => typeof reading === "string")
  if (operator !== "$like") return compareColumn(column, operator, texts)
  const folded = foldedColumn(field.column, column, dialect)
  return anyOf(texts.map((part) => dialect.contains(folded, fold(part))))
}

/** Compares a column that is never null, so null matches nothing. */
function compareColumn(
  column: Expression<unknown>,
  operator: FilterOperator,
  values: readonly (string | number)[],
): Condition {
  const order = ORDERS[operator]
  if (order !== undefined) return anyOf(values.map((value) => sql`${column} ${sql.raw(order)} ${value}`))
  if (operator === "$nin") return values.length === 0 ? allOf([]) : sql`${column} not in (${sql.join(values)})`
  return values.length === 0 ? anyOf([]) : sql`${column} in (${sql.join(values)})`
}

interface JsonComparison {
  readonly operator: FilterOperator
  readonly readings: readonly FilterScalar[]
  /** The same path in the folded map. */
  readonly folded: JsonPath
}

function compareJson(path: JsonPath, { operator, readings, folded }: JsonComparison): Condition {
  const order = ORDERS[operator]
  const values = readings.filter((reading) => reading !== null)
  const isOneOf = values.map((value) => path.equals(value))
  if (operator === "$nin") return allOf([isNot(path.isNull()), isNot(anyOf(isOneOf))])
  if (operator === "$like") {
    return anyOf(values.flatMap((value) => (typeof value === "string" ? [folded.contains(fold(value))] : [])))
  }
  if (order !== undefined) {
    return anyOf(values.flatMap((value) => (typeof value === "boolean" ? [] : [path.isOrdered(order, value)])))
  }
  return anyOf(readings.includes(null) ? [path.isNull(), ...isOneOf] : isOneOf)
}

const FOLDED_COLUMNS: ReadonlySet<FilesetFilterColumn> = new Set(["name", "description", "project"])

/** Returns the column in lower case. Columns without a folded form contain only ASCII keywords. */
function foldedColumn(
  name: FilesetFilterColumn,
  column: Expression<unknown>,
  dialect: SqlDialect,
): Expression<unknown> {
  return FOLDED_COLUMNS.has(name) ? sql.ref(`filesets.${name}_folded`) : dialect.lower(column)
}

function momentOf(reading: FilterScalar): number[] {
  return typeof reading === "string" ? [Date.parse(reading)] : []
}

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

import {
  FILESET_FILTER_FIELDS,
  type Filter,
  type FilterComparison,
  type FilterFieldRule,
  type FilterFields,
  type FilterOperator,
  type FilterScalar,
} from "@assay/schemas"
import { sql, type Expression, type SqlBool } from "kysely"
import type { Tables } from "../tables/tables.ts"
import type { JsonPath, OrderOperator, SqlDialect } from "../sql-dialect.ts"
import { fold } from "../fold.ts"
import type { VisibleWorkspaces } from "./queries.ts"

/** A table whose rows a filter can select. */
export interface FilteredTable {
  readonly name: keyof Tables
  readonly fields: FilterFields
  /** Texts that the table also has in lower case, in a column with the suffix `_folded`. Of others only ASCII letters are folded. */
  readonly folded: readonly string[]
}

const FILESETS: FilteredTable = {
  name: "filesets",
  fields: FILESET_FILTER_FIELDS,
  folded: ["name", "description", "project"],
}

/**
 * Compiles a filter to a condition on a row of a table. The condition can be null, which counts as false. Negations in it
 * treat null as false too, so the logic stays two-valued.
 */
export function compileFilter(filter: Filter, dialect: SqlDialect, table = FILESETS): Condition {
  if (filter.kind === "comparison") return compileComparison(filter, dialect, table)
  if (filter.kind === "not") return isNot(compileFilter(filter.filter, dialect, table))
  const parts = filter.filters.map((part) => compileFilter(part, dialect, table))
  return filter.kind === "and" ? allOf(parts) : anyOf(parts)
}

/** Returns the condition of a listing: that of its filter, or one that every row satisfies. */
export function filteredBy(filter: Filter | undefined, dialect: SqlDialect, table: FilteredTable): Condition {
  return filter === undefined ? allOf([]) : compileFilter(filter, dialect, table)
}

const ORDERS: Readonly<Partial<Record<FilterOperator, OrderOperator>>> = { $lt: "<", $lte: "<=", $gt: ">", $gte: ">=" }

/** Compiles a comparison, which matches if one of the readings of its values matches. */
function compileComparison(
  { field, operator, operands }: FilterComparison,
  dialect: SqlDialect,
  table: FilteredTable,
): Condition {
  const readings = operands.flatMap((operand) => operand.readings)
  const { kind, always, within }: FilterFieldRule = table.fields[field.column] ?? { kind: "text" }
  if (within !== undefined) {
    const json = sql`cast(${sql.ref(`${table.name}.${within}`)} as ${dialect.types.json})`
    const path = dialect.json(json, [field.column, ...field.path])
    const text = dialect.lower(path.text())
    return compareJson(path, { operator, readings, contains: (part) => dialect.contains(text, foldAscii(part)) })
  }
  const column = always === undefined ? sql.ref(`${table.name}.${field.column}`) : sql.lit(always)
  if (kind === "json") {
    const folded = sql`coalesce(${sql.ref(`${table.name}.${field.column}_folded`)}, ${column})`
    const contains = (part: string) => dialect.json(folded, field.path).contains(fold(part))
    return compareJson(dialect.json(column, field.path), { operator, readings, contains })
  }
  if (kind === "date") return compareColumn(column, operator, readings.flatMap(momentOf))
  const texts = readings.filter((reading) => typeof reading === "string")
  if (operator !== "$like") return compareColumn(column, operator, texts)
  if (table.folded.includes(field.column)) {
    const folded = sql.ref(`${table.name}.${field.column}_folded`)
    return anyOf(texts.map((part) => dialect.contains(folded, fold(part))))
  }
  return anyOf(texts.map((part) => dialect.contains(dialect.lower(column), foldAscii(part))))
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
  /** Matches if the value is text that contains `part`, whatever its case. */
  readonly contains: (part: string) => Condition
}

function compareJson(path: JsonPath, { operator, readings, contains }: JsonComparison): Condition {
  const order = ORDERS[operator]
  const values = readings.filter((reading) => reading !== null)
  const isOneOf = values.map((value) => path.equals(value))
  if (operator === "$nin") return allOf([isNot(path.isNull()), isNot(anyOf(isOneOf))])
  if (operator === "$like") return anyOf(values.filter((value) => typeof value === "string").map(contains))
  if (order !== undefined) {
    return anyOf(values.flatMap((value) => (typeof value === "boolean" ? [] : [path.isOrdered(order, value)])))
  }
  return anyOf(readings.includes(null) ? [path.isNull(), ...isOneOf] : isOneOf)
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

/** Matches the rows of visible workspaces, whose name is in `column`. */
export function isWithin(column: string, visible: VisibleWorkspaces): Condition {
  return visible === "all" ? allOf([]) : anyOf(visible.map((name) => sql`${sql.ref(column)} = ${name}`))
}

/** Returns the complement. A condition on a missing value is null, and its complement is true. */
export function isNot(condition: Condition): Condition {
  return sql<SqlBool>`((${condition}) is not true)`
}

/** Matches if `column` contains `part`. The case of ASCII letters is ignored. */
export function containsText(dialect: SqlDialect, column: string, part: string): Condition {
  return dialect.contains(dialect.lower(sql.ref(column)), foldAscii(part))
}

function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

import { sql } from "kysely"
import type { Queries } from "../database.ts"
import type { DatabaseKind } from "./databases.ts"

export interface SchemaColumn {
  readonly table: string
  readonly name: string
  /** Type, and whether it can be null: everything that a statement of the version before relies on. */
  readonly kind: string
  /** Returns whether a row can be inserted without a value. */
  readonly isOptional: boolean
}

/** The parts of a schema that the statements of a version rely on or that can refuse them. */
export interface SchemaDescription {
  readonly columns: readonly SchemaColumn[]
  /** Unique indexes, foreign keys and checks, each with its table. */
  readonly rules: readonly { readonly table: string; readonly rule: string }[]
}

export async function describeSchema(queries: Queries, kind: DatabaseKind): Promise<SchemaDescription> {
  const [columns, rules] = kind === "sqlite" ? SQLITE : POSTGRES
  const described = await columns.execute(queries)
  const ruled = await rules.execute(queries)
  return {
    columns: described.rows.map(({ optional, ...column }) => ({ ...column, isOptional: optional === 1 })),
    rules: ruled.rows,
  }
}

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly kind: string
  readonly optional: number
}

interface RuleRow {
  readonly table: string
  readonly rule: string
}

/** Without virtual tables, which have tables of their own that nobody else uses. */
const SQLITE_TABLES = sql`(select name from pragma_table_list where type = 'table' and name not like 'sqlite_%'
  and name not like 'kysely_%')`

const SQLITE = [
  sql<ColumnRow>`select tables.name as "table", columns.name as name, columns.type || ' ' || columns."notnull" as kind,
    columns."notnull" = 0 or columns.dflt_value is not null as optional
    from ${SQLITE_TABLES} as tables, pragma_table_info(tables.name) as columns`,
  sql<RuleRow>`select tables.name as "table", 'unique ' || (select group_concat(name) from pragma_index_info(indexes.name)) as rule
    from ${SQLITE_TABLES} as tables, pragma_index_list(tables.name) as indexes where indexes."unique" = 1
    union all select tables.name, 'references ' || keys."table" || ' ' || keys."from" || ' ' || keys.on_delete
    from ${SQLITE_TABLES} as tables, pragma_foreign_key_list(tables.name) as keys`,
] as const

const POSTGRES = [
  sql<ColumnRow>`select table_name as "table", column_name as name, data_type || ' ' || coalesce(collation_name, '') || is_nullable as kind,
    (is_nullable = 'YES' or column_default is not null or is_identity = 'YES')::integer as optional
    from information_schema.columns where table_schema = 'public' and table_name not like 'kysely%'`,
  sql<RuleRow>`select tablename as "table", regexp_replace(indexdef, '^.* ON (ONLY )?', 'unique ') as rule from pg_indexes
    where schemaname = 'public' and tablename not like 'kysely%' and indexdef like 'CREATE UNIQUE%'
    union all select conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('c', 'f', 'x') and conrelid::regclass::text not like 'kysely%'`,
] as const

/** Returns one sentence for each change between two schemas that statements made for the first one may not survive. */
export function findBreaks(before: SchemaDescription, after: SchemaDescription): readonly string[] {
  const tables = new Set(before.columns.map(({ table }) => table))
  const nameOf = ({ table, name }: SchemaColumn) => `${table}.${name}`
  const [old, present] = [before, after].map(({ columns }) => new Map(columns.map((one) => [nameOf(one), one])))
  const textOf = ({ table, rule }: { readonly table: string; readonly rule: string }) => `${table}: ${rule}`
  const [oldRules, rules] = [before, after].map((schema) => new Set(schema.rules.map(textOf)))
  const columnBreaks = before.columns.flatMap((column) => {
    const now = present?.get(nameOf(column))
    if (now === undefined) return [`The column ${nameOf(column)} is removed or renamed.`]
    if (now.kind !== column.kind) return [`The column ${nameOf(column)} was '${column.kind}' and is '${now.kind}'.`]
    return column.isOptional && !now.isOptional ? [`The column ${nameOf(column)} no longer has a default.`] : []
  })
  const requiredColumns = after.columns
    .filter((column) => tables.has(column.table) && !old?.has(nameOf(column)) && !column.isOptional)
    .map((column) => `The new column ${nameOf(column)} has no default, so older servers cannot insert rows.`)
  const newRules = after.rules
    .filter((rule) => tables.has(rule.table) && !oldRules?.has(textOf(rule)))
    .map((rule) => `The rule '${textOf(rule)}' is new and can refuse writes of older servers.`)
  const removedRules = before.rules
    .filter((rule) => rule.rule.startsWith("unique") && !rules?.has(textOf(rule)))
    .map((rule) => `The rule '${textOf(rule)}' is removed, which 'on conflict' of older servers can need.`)
  return [...columnBreaks, ...requiredColumns, ...newRules, ...removedRules]
}

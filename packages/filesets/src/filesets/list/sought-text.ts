import type { Filter } from "@assay/schemas"
import { sql, type Expression } from "kysely"
import { type SqlDialect, fold } from "@assay/database"
import { canBePart } from "./packed-texts.ts"

/** Columns with a folded form. The last two contain JSON. */
const COLUMNS = ["name", "description", "project", "custom_fields", "metadata"] as const

/** A text that a filter seeks in one text of each fileset. */
export interface SoughtText {
  readonly column: (typeof COLUMNS)[number]
  /** The path in a column with JSON. */
  readonly path: readonly string[]
  /** The folded text. */
  readonly part: string
}

/** Returns what a filter seeks, if it does nothing else. */
export function soughtIn(filter: Filter | undefined): SoughtText | undefined {
  if (filter?.kind !== "comparison" || filter.operator !== "$like") return undefined
  const { path } = filter.field
  const column = COLUMNS.find((one) => one === filter.field.column)
  const texts = filter.operands.flatMap(({ readings }) => readings).filter((reading) => typeof reading === "string")
  const [part, ...others] = texts.map(fold)
  return column === undefined || part === undefined || others.length > 0 || !canBePart(part)
    ? undefined
    : { column, path, part }
}

/** Returns a key for the texts in which something is sought. */
export function keyOf({ column, path }: SoughtText): string {
  return JSON.stringify([column, path])
}

/** The folded text of a fileset, and the column that contains it. */
export interface FoldedText {
  readonly source: Expression<string>
  /** Null if there is no text at the path. */
  readonly text: Expression<string | null>
}

export function foldedText({ column, path }: SoughtText, dialect: SqlDialect): FoldedText {
  const folded = sql.ref<string>(`filesets.${column}_folded`)
  if (column !== "custom_fields" && column !== "metadata") return { source: folded, text: folded }
  const source = sql<string>`coalesce(${folded}, ${sql.ref(`filesets.${column}`)})`
  return { source, text: dialect.json(source, path).text() }
}

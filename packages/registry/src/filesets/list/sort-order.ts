import type { FilesetSort } from "@assay/schemas"
import { sql, type Expression } from "kysely"
import type { Condition } from "../../filter/conditions.ts"
import type { FilesetRow } from "../fileset-row.ts"

export interface SortOrder {
  readonly column: "created_at" | "name"
  readonly direction: "asc" | "desc"
}

/** Equal values are ordered by ascending id in both directions. */
export const SORT_ORDERS: Readonly<Record<FilesetSort, SortOrder>> = {
  created_at: { column: "created_at", direction: "asc" },
  "-created_at": { column: "created_at", direction: "desc" },
  name: { column: "name", direction: "asc" },
  "-name": { column: "name", direction: "desc" },
}

/** A place in a sorted listing: after the fileset with this sort value and id. */
export interface PageMark {
  readonly value: string | number
  readonly id: string
}

export function markOf(row: FilesetRow, { column }: SortOrder): PageMark {
  return { value: row[column], id: row.id }
}

/** Returns the condition for filesets after a mark. An index can serve the first of its two parts. */
export function isAfter(
  { column, direction }: SortOrder,
  value: Expression<unknown>,
  id: Expression<unknown>,
): Condition {
  const sign = sql.raw(direction === "asc" ? ">" : "<")
  const sorted = sql.ref(`filesets.${column}`)
  return sql`(${sorted} ${sign}= ${value} and (${sorted} ${sign} ${value} or ${sql.ref("filesets.id")} > ${id}))`
}

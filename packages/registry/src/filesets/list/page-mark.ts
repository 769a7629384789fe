import { sql, type Expression } from "kysely"
import type { Condition } from "../../filter/conditions.ts"
import type { RecordOrder } from "../../records/read-records.ts"
import type { FilesetRow } from "../fileset-row.ts"

/** A place in a sorted listing: after the fileset with this sort value and id. */
export interface PageMark {
  readonly value: string | number
  readonly id: string
}

export function markOf(row: FilesetRow, { column }: RecordOrder): PageMark {
  return { value: row[column], id: row.id }
}

/** Returns the condition for filesets after a mark. An index can serve the first of its two parts. */
export function isAfter(
  { column, direction }: RecordOrder,
  value: Expression<unknown>,
  id: Expression<unknown>,
): Condition {
  const sign = sql.raw(direction === "asc" ? ">" : "<")
  const sorted = sql.ref(`filesets.${column}`)
  return sql`(${sorted} ${sign}= ${value} and (${sorted} ${sign} ${value} or ${sql.ref("filesets.id")} > ${id}))`
}

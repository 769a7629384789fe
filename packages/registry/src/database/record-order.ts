import type { RecordSort } from "@assay/schemas"

export interface RecordOrder {
  readonly column: "created_at" | "name" | "updated_at"
  readonly direction: "asc" | "desc"
}

/** How a listing of records is sorted. Default: by name. Ties go by id ascending in both directions. */
export function orderOf(sort: RecordSort = "name"): RecordOrder {
  const isDescending = sort.startsWith("-")
  const column = (isDescending ? sort.slice(1) : sort) as RecordOrder["column"]
  return { column, direction: isDescending ? "desc" : "asc" }
}

import type { Filter, RecordSort } from "@assay/schemas"

export interface PageQuery {
  readonly page: number
  readonly page_size: number
}

export interface SortedQuery extends PageQuery {
  /** Default `name`. */
  readonly sort?: RecordSort
}

export interface FilteredQuery extends SortedQuery {
  /** Undefined: all records. */
  readonly filter?: Filter | undefined
}

/** The workspaces whose records a caller may see: all or a list. */
export type VisibleWorkspaces = "all" | readonly string[]

export interface Abortable {
  readonly signal?: AbortSignal | undefined
}

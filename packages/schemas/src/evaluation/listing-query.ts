/** A range of moments in milliseconds since 1970, UTC; both ends are included. */
export interface MomentRange {
  readonly from?: number
  readonly to?: number
}

/** What narrows a listing: all of it has to hold. `Filter` and `Search` are the fields that there are. */
export interface ListingQuery<Filter extends string = string, Search extends string = string> {
  /** Fields with the value that they have to have. */
  readonly equals: Readonly<Partial<Record<Filter, string>>>
  readonly created_at?: MomentRange
  /** Fields with a text that they have to contain, whatever the case. */
  readonly contains: Readonly<Partial<Record<Search, string>>>
}

/** The fields by which a listing can be narrowed, besides `created_at`. */
export interface ListingFields<Filter extends string, Search extends string> {
  readonly filter: readonly Filter[]
  readonly search: readonly Search[]
}

export const JOB_LISTING = {
  filter: ["namespace", "status", "target", "config"],
  search: ["id", "namespace", "description", "project", "target", "config", "status"],
} as const

/** Of targets and configurations. */
export const DOCUMENT_LISTING = {
  filter: ["namespace", "name", "type", "project"],
  search: ["id", "namespace", "name", "description", "project"],
} as const

export const WORKSPACE_LISTING = {
  filter: ["id", "name", "description"],
  search: ["id", "name", "description"],
} as const

export const LISTING_SORTS = ["created_at", "-created_at", "updated_at", "-updated_at"] as const
export type ListingSort = (typeof LISTING_SORTS)[number]

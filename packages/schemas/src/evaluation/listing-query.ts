/** A range of moments, in milliseconds since 1970, UTC. */
export interface MomentRange {
  readonly gt?: number
  readonly gte?: number
  readonly lt?: number
  readonly lte?: number
}

/** What narrows a listing of jobs, targets or configurations: all of it has to hold. */
export interface ListingQuery {
  /** Fields with the value that they have to have. */
  readonly equals: Readonly<Record<string, string>>
  /** Fields of time with the range in which they have to lie. */
  readonly moments: Readonly<Record<string, MomentRange>>
  /** Fields with texts, each of which they have to contain, whatever the case. */
  readonly contains: Readonly<Record<string, readonly string[]>>
}

/** The fields that a listing can be narrowed by. */
export interface ListingFields {
  readonly filter: readonly string[]
  readonly search: readonly string[]
  /** Fields of time, in either. */
  readonly moments: readonly string[]
}

export const JOB_LISTING_FIELDS: ListingFields = {
  filter: ["namespace", "status", "target", "config", "project"],
  search: ["namespace", "status", "target", "config", "project", "description"],
  moments: ["created_at", "updated_at"],
}

export const DOCUMENT_LISTING_FIELDS: ListingFields = {
  filter: ["namespace", "name", "type", "project"],
  search: ["namespace", "name", "type", "project", "description"],
  moments: ["created_at", "updated_at"],
}

export const LISTING_SORTS = ["created_at", "-created_at", "updated_at", "-updated_at"] as const
export type ListingSort = (typeof LISTING_SORTS)[number]

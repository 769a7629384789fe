import { badFilter } from "../filter/filter-syntax.ts"
import { parseFilterDate } from "../filter/parse-filter-date.ts"
import { unknownFilterField } from "../filter/filter-fields.ts"

/** A range of times in milliseconds since 1970, UTC. Both ends are included. */
export interface MomentRange {
  readonly from?: number
  readonly to?: number
}

/** The conditions of a listing. All of them must hold. `Filter` and `Search` are the names of the fields. */
export interface ListingQuery<Filter extends string = string, Search extends string = string> {
  /** The required values of fields. */
  readonly equals: Readonly<Partial<Record<Filter, string>>>
  readonly created_at?: MomentRange
  /** Texts that fields must contain, in upper or lower case. */
  readonly contains: Readonly<Partial<Record<Search, string>>>
}

/** The fields that a listing can be filtered by, besides `created_at`. */
export interface ListingFields<Filter extends string, Search extends string> {
  readonly filter: readonly Filter[]
  readonly search: readonly Search[]
}

export const JOB_LISTING = {
  filter: ["namespace", "status", "target", "config"],
  search: ["id", "namespace", "description", "project", "target", "config", "status", "rescored_from"],
} as const

/** The fields of targets and configurations. */
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

const DATE_FIELD = "created_at"
const DAY_MS = 86_400_000
const PARAMETER = /^(filter|search)\[([^[\]]+)\](?:\[\$?([^[\]]*)\])?$/

/** The conditions of a listing, and the form in which the response repeats them. */
export interface ParsedListing<Filter extends string, Search extends string> {
  readonly query: ListingQuery<Filter, Search>
  readonly filter: Readonly<Record<string, unknown>>
  readonly search: Readonly<Record<string, unknown>>
}

/**
 * Reads `filter[field]=value`, `filter[field][like]=part`, `filter[created_at][gte]=date` and `search[field]=part` from decoded query
 * parameters. Other parameters are ignored.
 * @throws `unknown_filter_field`, `bad_filter`
 */
export function parseListingQuery<Filter extends string, Search extends string>(
  parameters: readonly (readonly [string, string])[],
  fields: ListingFields<Filter, Search>,
): ParsedListing<Filter, Search> {
  const read = { filter: new Map<string, string>(), search: new Map<string, string>() }
  const dates: Record<"filter" | "search", Record<string, string>> = { filter: {}, search: {} }
  const likes: Record<string, { readonly $like: string }> = {}
  const ranges: MomentRange[] = []
  for (const [parameter, value] of parameters) {
    if (!/^(filter|search)\b/.test(parameter)) continue
    const [, way, field, bound] = PARAMETER.exec(parameter) ?? []
    if (field === undefined || (way !== "filter" && way !== "search")) {
      throw badFilter("each field needs its own brackets, as in filter[status]", { parameter })
    }
    if (field === DATE_FIELD) {
      ranges.push(rangeOf(bound, value, parameter))
      dates[way][bound ?? "eq"] = value
      continue
    }
    if (!(fields[way] as readonly string[]).includes(field))
      throw unknownFilterField(field, [...fields[way], DATE_FIELD])
    const isLike = way === "filter" && bound === "like" && (fields.search as readonly string[]).includes(field)
    if (bound !== undefined && bound !== "eq" && !isLike)
      throw badFilter(`${field} is compared as a whole, as in ${way}[${field}]`, { parameter })
    const known = read[isLike ? "search" : way]
    if (known.has(field)) throw badFilter(`${field} may be given once`, { parameter })
    known.set(field, value)
    if (isLike) likes[field] = { $like: value }
  }
  const equals = Object.fromEntries(read.filter) as Partial<Record<Filter, string>>
  const contains = Object.fromEntries(read.search) as Partial<Record<Search, string>>
  return {
    query: { equals, contains, ...(ranges.length === 0 ? {} : { created_at: Object.assign({}, ...ranges) }) },
    filter: { ...likes, ...equals, ...echoed(dates.filter) },
    search: { ...withoutKeys(contains, likes), ...echoed(dates.search) },
  }
}

/** Returns the range of a bound. A value without a bound means that time or that whole day. */
function rangeOf(bound: string | undefined, value: string, parameter: string): MomentRange {
  const date = parseFilterDate(value)
  if (date === undefined) throw badFilter("it needs a date in ISO 8601, as in 2026-11-20T08:14:03Z", { parameter })
  const moment = Date.parse(date)
  switch (bound ?? "eq") {
    case "eq":
      return { from: moment, to: /^\d{4}-\d\d-\d\d$/.test(value) ? moment + DAY_MS - 1 : moment }
    case "gt":
      return { from: moment + 1 }
    case "gte":
    case "start":
      return { from: moment }
    case "lt":
      return { to: moment - 1 }
    case "lte":
    case "end":
      return { to: moment }
    default:
      throw badFilter("dates are compared with gt, gte, lt or lte", { parameter })
  }
}

/** Returns what searches gave: parts of texts that filters gave are repeated as filters. */
function withoutKeys(contains: object, likes: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(contains).filter(([field]) => !Object.hasOwn(likes, field)))
}

function echoed(dates: Readonly<Record<string, string>>): Record<string, unknown> {
  const { eq, ...bounds } = dates
  if (Object.keys(bounds).length > 0) return { [DATE_FIELD]: dates }
  return eq === undefined ? {} : { [DATE_FIELD]: eq }
}

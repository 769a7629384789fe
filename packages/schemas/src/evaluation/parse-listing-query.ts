import { badFilter } from "../filter/bad-filter.ts"
import { parseFilterDate } from "../filter/parse-filter-date.ts"
import { unknownFilterField } from "../filter/unknown-filter-field.ts"
import type { ListingFields, ListingQuery, MomentRange } from "./listing-query.ts"

/** `start` and `end` are the words of searches. */
const BOUNDS: Readonly<Record<string, keyof MomentRange>> = {
  gt: "gt",
  gte: "gte",
  lt: "lt",
  lte: "lte",
  start: "gte",
  end: "lte",
}
const DAY_MS = 86_400_000
const PARAMETER = /^(filter|search)\[([^[\]]+)\](?:\[\$?([^[\]]*)\])?$/

/** What narrows a listing, and how the answer repeats it. */
export interface ParsedListing {
  readonly query: ListingQuery
  readonly filter: Readonly<Record<string, unknown>>
  readonly search: Readonly<Record<string, unknown>>
}

/**
 * Reads `filter[field]=value`, `filter[created_at][gte]=date` and `search[field]=part` from decoded query parameters;
 * all others are passed over. Each field can be filtered by one value and searched for several parts.
 * @throws `unknown_filter_field`, `bad_filter`
 */
export function parseListingQuery(
  parameters: readonly (readonly [string, string])[],
  fields: ListingFields,
): ParsedListing {
  const equals: Record<string, string> = {}
  const moments: Record<string, MomentRange> = {}
  const contains: Record<string, string[]> = {}
  const echo: Record<"filter" | "search", Record<string, unknown>> = { filter: {}, search: {} }
  for (const [parameter, value] of parameters) {
    if (!/^(filter|search)\b/.test(parameter)) continue
    const [, way, field, bound] = PARAMETER.exec(parameter) ?? []
    if (field === undefined || (way !== "filter" && way !== "search")) {
      throw badFilter("each field stands in its own brackets, as in filter[status]", { parameter })
    }
    if (fields.moments.includes(field)) {
      moments[field] = { ...moments[field], ...rangeOf(bound, value, parameter) }
      echo[way][field] = bound === undefined ? value : { ...(echo[way][field] as object | undefined), [bound]: value }
      continue
    }
    if (!fields[way].includes(field)) throw unknownFilterField(field, [...fields[way], ...fields.moments])
    if (bound !== undefined) throw badFilter(`${field} is compared as a whole, as in ${way}[${field}]`, { parameter })
    if (way === "filter") {
      if (equals[field] !== undefined) throw badFilter(`${field} can have one value alone`, { parameter })
      equals[field] = value
      echo.filter[field] = value
    } else {
      contains[field] = [...(contains[field] ?? []), value]
      echo.search[field] = contains[field]
    }
  }
  return { query: { equals, moments, contains }, ...echo }
}

/** A bare value is that moment, or that whole day. */
function rangeOf(bound: string | undefined, value: string, parameter: string): MomentRange {
  const date = parseFilterDate(value)
  if (date === undefined) throw badFilter("it takes a date in ISO 8601, as in 2026-11-20T08:14:03Z", { parameter })
  const moment = Date.parse(date)
  if (bound === undefined || bound === "eq") {
    return /^\d{4}-\d\d-\d\d$/.test(value) ? { gte: moment, lt: moment + DAY_MS } : { gte: moment, lte: moment }
  }
  const key = Object.hasOwn(BOUNDS, bound) ? BOUNDS[bound] : undefined
  if (key === undefined) throw badFilter("dates are compared with gt, gte, lt or lte", { parameter })
  return { [key]: moment }
}

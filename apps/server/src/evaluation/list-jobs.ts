import type { JobFilter, JobQuery, PageQuery, Registry } from "@assay/registry"
import { type Caller, requireRole, visibleWorkspaces } from "@assay/registry/tokens"
import {
  AssayError,
  enumeration,
  JOB_LISTING,
  JOB_STATUSES,
  jobStatusesOf,
  LISTING_SORTS,
  parseListingQuery,
  type EvaluationJob,
  type JobStatus,
  type ListingSort,
  type Pagination,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { pageQuery } from "../http/route-schemas.ts"

/** Query parameters of a listing. Filters and searches have their fields in brackets. */
export const ListingParameters = Type.Intersect([
  pageQuery(10, 1000),
  Type.Object({
    sort: enumeration(LISTING_SORTS, { default: "-created_at", description: "A leading `-` means descending." }),
    filter: Type.Optional(
      Type.String({
        description:
          "Fields with their values, in brackets: `filter[status]=completed`, `filter[created_at][gte]=2026-11-20`.",
      }),
    ),
    search: Type.Optional(
      Type.String({ description: "Fields with a part of their text, in brackets: `search[config]=benchmark`." }),
    ),
  }),
])

/** Returns the query parameters as decoded pairs. A repeated parameter becomes several pairs. */
export function queryPairs(query: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => [key, String(item)] as const),
  )
}

export interface ListedJobs {
  readonly object: "list"
  readonly data: readonly EvaluationJob[]
  readonly pagination: Pagination
  readonly sort: ListingSort
  readonly filter: Readonly<Record<string, unknown>>
  readonly search: Readonly<Record<string, unknown>>
}

export interface JobListing extends PageQuery {
  readonly sort: ListingSort
  /** The query parameters, decoded. */
  readonly parameters: readonly (readonly [string, string])[]
}

/**
 * Lists jobs of all namespaces that the caller may see and that match the filters and searches of a query.
 * @throws `unknown_filter_field`, `bad_filter`; `not_found` for a namespace that does not exist or that the caller may not see
 */
export async function listJobs(
  { jobs }: Pick<Registry, "jobs">,
  { parameters, sort, ...page }: JobListing,
  caller: Caller,
): Promise<ListedJobs> {
  const { query: wanted, filter, search } = parseListingQuery(parameters, JOB_LISTING)
  const { status, ...equals } = wanted.equals
  if (equals.namespace !== undefined) requireRole(caller, equals.namespace, "viewer")
  const conditions: JobFilter = {
    ...equals,
    ...(status === undefined ? {} : { status: statusesOf(status) }),
    ...(wanted.created_at === undefined ? {} : { created_at: wanted.created_at }),
  }
  const query: JobQuery = { ...page, sort, filter: conditions, search: wanted.contains }
  const found = await jobs.list(query, visibleWorkspaces(caller))
  return { object: "list", ...found, sort, filter, search }
}

function statusesOf(word: string): readonly JobStatus[] {
  const statuses = jobStatusesOf(word)
  if (statuses.length > 0) return statuses
  const message = `'${word}' is not a status of a job; filter by one of ${JOB_STATUSES.join(", ")}.`
  throw new AssayError("bad_filter", message, { context: { parameter: "filter[status]" } })
}

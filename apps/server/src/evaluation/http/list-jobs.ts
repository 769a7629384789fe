import type { JobFilter, JobQuery, PageQuery, Registry } from "@assay/registry"
import {
  AssayError,
  JOB_LISTING,
  JOB_STATUSES,
  jobStatusesOf,
  parseListingQuery,
  type EvaluationJob,
  type JobStatus,
  type ListingSort,
  type Pagination,
} from "@assay/schemas"
import type { Caller } from "../../auth/grant.ts"
import { requireRole, visibleWorkspaces } from "../../auth/require-role.ts"

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
 * Jobs of all namespaces that the caller may see, narrowed by the filters and searches of a query.
 * @throws `unknown_filter_field`, `bad_filter`; `not_found` for a namespace that is not there or may not be seen
 */
export async function listJobs(
  { jobs }: Registry,
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
  const message = `'${word}' is no status of a job; filter by one of ${JOB_STATUSES.join(", ")}.`
  throw new AssayError("bad_filter", message, { context: { parameter: "filter[status]" } })
}

import type { JobFilter, JobQuery } from "@assay/job-store"
import type { Registry } from "@assay/registry"
import type { PageQuery } from "@assay/database"
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
import type { JobCaller } from "./job-caller.ts"

/** A page of records, with the conditions that they satisfy. */
export interface Listed<Item> {
  readonly object: "list"
  readonly data: readonly Item[]
  readonly pagination: Pagination
  readonly sort: ListingSort
  readonly filter: Readonly<Record<string, unknown>>
  readonly search: Readonly<Record<string, unknown>>
}

export interface Listing extends PageQuery {
  readonly sort: ListingSort
  /** The query parameters, decoded. */
  readonly parameters: readonly (readonly [string, string])[]
}

/**
 * Lists jobs of all workspaces that the caller may see and that match the filters and searches of a query.
 * @throws `unknown_filter_field`, `bad_filter`; `not_found` for a workspace that does not exist or that the caller may not see
 */
export async function listJobs(
  { jobs }: Pick<Registry, "jobs">,
  { parameters, sort, ...page }: Listing,
  { visible, checkRole }: JobCaller,
): Promise<Listed<EvaluationJob>> {
  const { query: wanted, filter, search } = parseListingQuery(parameters, JOB_LISTING)
  const { status, ...equals } = wanted.equals
  if (equals.namespace !== undefined) checkRole(equals.namespace, "viewer")
  const conditions: JobFilter = {
    ...equals,
    ...(status === undefined ? {} : { status: statusesOf(status) }),
    ...(wanted.created_at === undefined ? {} : { created_at: wanted.created_at }),
  }
  const query: JobQuery = { ...page, sort, filter: conditions, search: wanted.contains }
  const found = await jobs.list(query, visible)
  return { object: "list", ...found, sort, filter, search }
}

function statusesOf(word: string): readonly JobStatus[] {
  const statuses = jobStatusesOf(word)
  if (statuses.length > 0) return statuses
  const message = `'${word}' is not a status of a job; filter by one of ${JOB_STATUSES.join(", ")}.`
  throw new AssayError("bad_filter", message, { context: { parameter: "filter[status]" } })
}

import type { EvaluationJob } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { useClient } from "../../../api/use-client.ts"

/** Jobs that are sorted and searched here. */
export const MAX_JOBS = 1000
/** Milliseconds for which the whole list counts as fresh. */
const FRESH_MS = 30_000
/** The jobs that changed last, which are read then. */
const CHANGED = 20

export interface ListedJobs {
  readonly jobs: readonly EvaluationJob[]
  /** Number of all jobs, also of those that are not listed. */
  readonly total: number
  readonly isLoading: boolean
  readonly error: unknown
}

/** Reads the newest jobs once, and the changed ones whenever the server says that some have changed. */
export function useJobs(status: string | undefined): ListedJobs {
  const { jobs } = useClient().evaluation
  const queries = useQueryClient()
  const filter = status === undefined ? {} : { filter: { status } }
  const key = ["jobs", "listed", status]
  const { data, error, isPending } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => jobs.page({ sort: "-created_at", page_size: MAX_JOBS, ...filter }, { signal }),
    staleTime: FRESH_MS,
  })
  const listed = data?.data ?? NO_JOBS
  const { data: changed } = useQuery({
    queryKey: ["jobs", "changed", status],
    queryFn: ({ signal }) => jobs.page({ sort: "-updated_at", page_size: CHANGED, ...filter }, { signal }),
    enabled: data !== undefined,
  })
  const total = changed?.pagination?.total_results ?? data?.pagination?.total_results ?? listed.length
  const isOther =
    data !== undefined && changed !== undefined && needsAll(listed, data.pagination?.total_results, changed)
  useEffect(() => {
    if (isOther) void queries.invalidateQueries({ queryKey: ["jobs", "listed"] })
  }, [isOther, queries])
  const merged = useMemo(() => merge(listed, changed?.data), [listed, changed])
  return { jobs: merged, total, isLoading: isPending, error: error ?? undefined }
}

const NO_JOBS: readonly EvaluationJob[] = []

interface ChangedJobs {
  readonly data: readonly EvaluationJob[]
  readonly pagination?: { readonly total_results: number } | undefined
}

/** Returns the listed jobs, each as it was read last. */
function merge(
  listed: readonly EvaluationJob[],
  changed: readonly EvaluationJob[] = NO_JOBS,
): readonly EvaluationJob[] {
  const newer = new Map(changed.map((job) => [job.id, job]))
  return listed.map((job) => {
    const other = newer.get(job.id)
    return other === undefined || other.updated_at < job.updated_at ? job : other
  })
}

/** Returns whether jobs were added or removed, or if more may have changed than were read again. */
function needsAll(
  listed: readonly EvaluationJob[],
  total: number | undefined,
  { data, pagination }: ChangedJobs,
): boolean {
  if (pagination?.total_results !== total) return true
  const known = new Map(listed.map((job) => [job.id, job.updated_at]))
  return data.length === CHANGED && data.every(({ id, updated_at }) => (known.get(id) ?? "") < updated_at)
}

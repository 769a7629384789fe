import { isFinalJobStatus, type EvaluationJob } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useClient } from "../../api/use-client.ts"

/** Number of the newest jobs that the page reads. */
const LATEST = 50

export interface HomeJobs {
  readonly error: Error | null
  readonly isPending: boolean
  /** Number of all jobs. */
  readonly total: number
  readonly running: readonly EvaluationJob[]
  /** The newest jobs that failed, or that met a condition. */
  readonly troubled: readonly EvaluationJob[]
  /** The newest jobs that have ended. */
  readonly ended: readonly EvaluationJob[]
}

/** Reads the newest jobs. Jobs that run for long are found by their status. */
export function useHomeJobs(): HomeJobs {
  const client = useClient()
  const { data, error, isPending } = useQuery({
    queryKey: ["jobs", "home"],
    queryFn: async ({ signal }) => {
      const jobs = client.evaluation.jobs
      const sort = "-created_at" as const
      const [latest, running] = await Promise.all([
        jobs.page({ sort, page_size: LATEST }, { signal }),
        jobs.page({ sort, page_size: LATEST, filter: { status: "RUNNING" } }, { signal }),
      ])
      return {
        latest: latest.data,
        running: running.data,
        total: latest.pagination?.total_results ?? latest.data.length,
      }
    },
  })
  const ended = data?.latest.filter(({ status }) => isFinalJobStatus(status)) ?? []
  return {
    error,
    isPending,
    total: data?.total ?? 0,
    running: data === undefined ? [] : activeOf(data),
    troubled: ended.filter(({ status, conditions }) => status === "FAILED" || conditions.length > 0),
    ended,
  }
}

interface ReadJobs {
  readonly latest: readonly EvaluationJob[]
  readonly running: readonly EvaluationJob[]
}

function activeOf({ latest, running }: ReadJobs): readonly EvaluationJob[] {
  const byId = new Map([...latest, ...running].map((job) => [job.id, job]))
  return [...byId.values()].filter(({ status }) => !isFinalJobStatus(status))
}

import type { LaunchBody, LaunchCheckOutcome } from "@assay/schemas"
import { useQueries } from "@tanstack/react-query"
import { useClient } from "../../../../api/use-client.ts"
import type { LaunchJob } from "../file/read-launch-file.ts"

/** The requests and the cost of a job, and its faults. */
export interface JobPlan<Job = LaunchJob> {
  readonly job: Job
  /** Undefined while the server plans, and if it can't. */
  readonly outcome: LaunchCheckOutcome | undefined
  readonly error: Error | null
}

/** Maximum number of jobs of a file that are planned while somebody types. */
export const MAX_PLANNED = 8
const FRESH_MS = 30_000

/** Plans the first jobs of a file: the server reads their datasets, and asks no model. */
export function usePlans<Job extends { readonly body: LaunchBody }>(
  jobs: readonly Job[],
  isAllowed: boolean,
): readonly JobPlan<Job>[] {
  const { evaluation } = useClient()
  const planned = jobs.slice(0, MAX_PLANNED)
  return useQueries({
    queries: planned.map(({ body }) => ({
      queryKey: ["launch", "plan", JSON.stringify(body)],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => evaluation.jobs.check(body, { isPlan: true, signal }),
      enabled: isAllowed,
      retry: false,
      staleTime: FRESH_MS,
    })),
    combine: (results) =>
      planned.map((job, index) => {
        const { data: outcome, error = null } = results[index] ?? {}
        return { job, outcome, error }
      }),
  })
}

import type { Comparison } from "@assay/schemas"
import { useQueries } from "@tanstack/react-query"
import { useMemo } from "react"
import { useClient } from "../../../api/use-client.ts"
import { nameOfTarget } from "../jobs/job-names.ts"
import { promptOf } from "./prompt-of-job.ts"

/**
 * Returns the compared jobs with names that tell them apart: with the model, the number of the prompt, or the id behind the name if others have
 * the same one.
 */
export function useJobLabels(jobs: Comparison["jobs"]): Comparison["jobs"] {
  const client = useClient()
  const records = useQueries({
    queries: jobs.map(({ id }) => ({
      queryKey: ["jobs", id],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.evaluation.jobs.get(id, { signal }),
      // Names of two jobs are shown as they are.
      enabled: jobs.length > 2,
    })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  return useMemo(() => {
    const prompts = [...new Set(records.map(promptOf))]
    const details = new Map(
      records.map((job) => [job.id, [nameOfTarget(job), `prompt ${prompts.indexOf(promptOf(job)) + 1}`, job.id]]),
    )
    return labelled(jobs, (id) => details.get(id) ?? [id])
  }, [jobs, records])
}

/** Adds as many details to the names of jobs as tell them apart. @param detailsOf returns the details of a job, of which the last is unique */
export function labelled(jobs: Comparison["jobs"], detailsOf: (id: string) => readonly string[]): Comparison["jobs"] {
  const most = Math.max(1, ...jobs.map(({ id }) => detailsOf(id).length))
  for (let count = 0; count < most; count++) {
    const named = jobs.map(({ id, name }) => ({ id, name: [name, ...detailsOf(id).slice(0, count)].join(" · ") }))
    if (new Set(named.map(({ name }) => name)).size === jobs.length) return named
  }
  return jobs.map(({ id, name }) => ({ id, name: name === id ? id : `${name} (${id})` }))
}

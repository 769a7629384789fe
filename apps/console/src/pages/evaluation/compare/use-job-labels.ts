import type { Comparison } from "@assay/schemas"
import { useQueries } from "@tanstack/react-query"
import { useMemo } from "react"
import { useClient } from "../../../api/use-client.ts"
import { nameOfTarget } from "../jobs/job-names.ts"
import { promptOf } from "./prompt-of-job.ts"

/** A job with its name. */
export interface NamedJob {
  readonly id: string
  readonly name: string
  /** Jobs of other groups may have the same name. Default: all jobs are one group. */
  readonly group?: string
}

/**
 * Returns jobs with names that tell them apart: by the model, the number of the prompt, or the time of the launch, as few of them as are needed,
 * or else by the id.
 */
export function useJobLabels(jobs: readonly NamedJob[]): Comparison["jobs"] {
  const client = useClient()
  const isShared = useMemo(() => sharingNames(jobs.map((job) => ({ ...job, name: withoutId(job) }))).size > 0, [jobs])
  const records = useQueries({
    queries: jobs.map(({ id }) => ({
      queryKey: ["jobs", id],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.evaluation.jobs.get(id, { signal }),
      // Different names are shown as they are.
      enabled: isShared,
    })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  return useMemo(() => {
    const prompts = [...new Set(records.map(promptOf))]
    const details = new Map(
      records.map((job) => [
        job.id,
        [
          nameOfTarget(job),
          `prompt ${prompts.indexOf(promptOf(job)) + 1}`,
          job.created_at.slice(0, "2026-11-30T09:30".length).replace("T", " "),
        ],
      ]),
    )
    return labelled(jobs, (id) => details.get(id) ?? [])
  }, [jobs, records])
}

/** Returns the name of a job without the id that the server adds to names of several jobs. */
function withoutId({ id, name }: NamedJob): string {
  const added = ` (${id})`
  return name.endsWith(added) ? name.slice(0, -added.length) : name
}

/** Returns the ids of jobs whose name another job of their group has. */
function sharingNames(jobs: readonly NamedJob[]): ReadonlySet<string> {
  const same = Map.groupBy(jobs, ({ name, group = "" }) => `${group}\n${name}`)
  return new Set([...same.values()].flatMap((some) => (some.length === 1 ? [] : some.map(({ id }) => id))))
}

/** The details that are tried one after the other, by their positions: each alone, and then together. */
const TRIED: readonly (readonly number[])[] = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]]

/** Adds as few details to the names of jobs as tell them apart, or their ids. @param detailsOf returns at most three details of a job */
export function labelled(given: readonly NamedJob[], detailsOf: (id: string) => readonly string[]): Comparison["jobs"] {
  const jobs = given.map((job) => ({ ...job, name: withoutId(job) }))
  const sharing = sharingNames(jobs)
  for (const tried of TRIED) {
    const named = jobs.map((job) => {
      const details = sharing.has(job.id) ? detailsOf(job.id) : []
      return { ...job, name: [job.name, ...tried.flatMap((at) => details[at] ?? [])].join(" · ") }
    })
    if (sharingNames(named).size === 0) return named.map(({ id, name }) => ({ id, name }))
  }
  return jobs.map(({ id, name }) => ({ id, name: sharing.has(id) ? `${name} (${id})` : name }))
}

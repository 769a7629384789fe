import type { JobToCompare } from "./job-to-compare.ts"

/** Returns the jobs with names that messages can tell apart: several of one name have their id beside it. */
export function withDistinctNames(jobs: readonly JobToCompare[]): readonly JobToCompare[] {
  const named = Map.groupBy(jobs, ({ name }) => name)
  return jobs.map((job) => {
    const isShared = (named.get(job.name)?.length ?? 0) > 1 && job.name !== job.id
    return isShared ? { ...job, name: `${job.name} (${job.id})` } : job
  })
}

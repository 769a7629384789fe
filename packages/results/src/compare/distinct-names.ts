import type { JobToCompare } from "./job-to-compare.ts"

/** Returns the jobs with names that messages can tell apart: different ones of one name have their id beside it. */
export function withDistinctNames(jobs: readonly JobToCompare[]): readonly JobToCompare[] {
  return jobs.map((job) => {
    const isShared = jobs.some(({ name, id }) => name === job.name && id !== job.id)
    return isShared ? { ...job, name: `${job.name} (${job.id})` } : job
  })
}

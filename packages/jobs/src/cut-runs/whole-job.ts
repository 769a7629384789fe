import type { LaunchSubject } from "../launch/launch-ports.ts"

/**
 * Returns a job as its shards plan it: without its budget, which shards share, and with gates that are compared at the end. A plan with either
 * would read its rows in random order, one process at a time.
 */
export function wholeJob<Job extends LaunchSubject>(job: Job): Job {
  const { params } = job.config
  if (params?.budget === undefined && params?.gates === undefined) return job
  const { budget: _, gates, ...others } = params
  const compared = gates?.map(({ stop: _stop, ...gate }) => gate)
  return {
    ...job,
    config: { ...job.config, params: { ...others, ...(compared === undefined ? {} : { gates: compared }) } },
  }
}

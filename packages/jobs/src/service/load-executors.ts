import type { JobExecutors, JobExecutorsPorts } from "../job-engines/job-executors.ts"

/** Reads the executors of a server: see `openJobExecutors`, whose code is loaded only by servers that have some. @throws `bad_settings` */
export async function loadExecutors(file: string, ports: JobExecutorsPorts): Promise<JobExecutors> {
  const { openJobExecutors } = await import("../job-engines/job-executors.ts")
  return openJobExecutors(file, ports)
}

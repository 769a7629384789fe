import { callSlurm, slurmFailed } from "./call-slurm.ts"
import { jobsByCluster, type SlurmJobId } from "./slurm-job-id.ts"

/** What scancel says about a job that has ended, or that Slurm has forgotten. */
const GONE = /invalid job id|already complet|job is no longer/i

/** Cancels jobs in the given order. A job that is gone is left out. @throws `executor_failed` if Slurm refuses or does not respond */
export async function cancelJobs(
  ids: readonly SlurmJobId[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  for (const { option, jobs } of jobsByCluster(ids)) {
    const output = await callSlurm(["scancel", ...option, ...jobs.map(({ job }) => job)], { env })
    const said = output.stderr.split("\n").filter((line) => line.trim() !== "" && !GONE.test(line))
    if (said.length > 0 && output.exitCode !== 0) throw slurmFailed("scancel", { ...output, stderr: said.join("\n") })
  }
}

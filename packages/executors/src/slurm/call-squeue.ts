import { callSlurm, type SlurmCall, slurmFailed } from "./call-slurm.ts"
import type { SlurmJobId } from "./slurm-job-id.ts"

/** squeue fails if Slurm has forgotten the only job that it is asked for. */
const FORGOTTEN = /invalid job id/i

/** Asks for jobs of one cluster: ended ones too, and those of hidden partitions. A job that Slurm has forgotten is left out. @throws `executor_failed` */
export async function callSqueue(
  options: readonly string[],
  jobs: readonly SlurmJobId[],
  call: SlurmCall,
): Promise<string> {
  const ids = jobs.map(({ job }) => job).join(",")
  const output = await callSlurm(["squeue", ...options, "--noheader", "--all", "--states=all", `--jobs=${ids}`], call)
  if (output.exitCode === 0) return output.stdout
  if (FORGOTTEN.test(output.stderr)) return ""
  throw slurmFailed("squeue", output)
}

import { AssayError, printable } from "@assay/schemas"
import { callSlurm, type SlurmCall, slurmFailed } from "./call-slurm.ts"
import { callSqueue } from "./call-squeue.ts"
import { jobsByCluster, type SlurmJobId } from "./slurm-job-id.ts"

/** The beginning of the names of all jobs that this executor submits. */
export const NAME_PREFIX = "assay-"

/** The messages of scancel for a job that has ended, or that Slurm has forgotten. */
const GONE = /invalid job id|already complet|job is no longer/i

/**
 * Cancels jobs in the given order. A job that is gone is left out. The ids are in the folder of the run: whoever can change it must not cancel other jobs of
 * this user.
 * @throws `executor_failed` if Slurm refuses or does not respond, and for a job that this executor did not submit
 */
export async function cancelJobs(ids: readonly SlurmJobId[], env: SlurmCall["env"]): Promise<void> {
  for (const { option, jobs } of jobsByCluster(ids)) {
    const known = parseNames(await callSqueue([...option, "--format=%F|%j"], jobs, { env }))
    const there = jobs.filter(({ job }) => known.has(job)).map(({ job }) => job)
    for (const job of there) checkName(job, known.get(job) ?? "")
    if (there.length === 0) continue
    const output = await callSlurm(["scancel", ...option, ...there], { env })
    const said = output.stderr.split("\n").filter((line) => line.trim() !== "" && !GONE.test(line))
    if (said.length > 0 && output.exitCode !== 0) throw slurmFailed("scancel", { ...output, stderr: said.join("\n") })
  }
}

/** Returns the names of jobs by their ids. */
function parseNames(text: string): ReadonlyMap<string, string> {
  const lines = text.split("\n").map((line) => /^(\d+)\|(.*)$/.exec(line.trim()))
  return new Map(lines.flatMap((found) => (found === null ? [] : [[found[1] ?? "", found[2] ?? ""]])))
}

function checkName(job: string, name: string): void {
  if (name.startsWith(NAME_PREFIX)) return
  const message = `The run names the Slurm job ${job}, which is called '${printable(name).slice(0, 100)}' and is not one of Assay: cancel the jobs of the run with \`scancel\`.`
  throw new AssayError("executor_failed", message)
}

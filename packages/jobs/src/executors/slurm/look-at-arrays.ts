import { isAssayError } from "@assay/schemas/errors"
import type { ShardProcess } from "../executor.ts"
import { callSlurm, slurmFailed } from "./call-slurm.ts"
import { jobsByCluster, type SlurmJobId } from "./slurm-job-id.ts"
import {
  parseSacct,
  parseSqueue,
  processOfTask,
  processThatLeft,
  SACCT_FORMAT,
  type SlurmTask,
  SQUEUE_FORMAT,
} from "./slurm-tasks.ts"

export interface LookOptions {
  /** The shards of the arrays. */
  readonly indexes: readonly number[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/**
 * Returns the processes of shards. Slurm forgets a task some minutes after its end (MinJobAge). The accounting of the cluster then says how it ended,
 * if there is one.
 * @throws `executor_failed` if the controller does not respond; the reason of the signal
 */
export async function lookAtArrays(
  arrays: readonly SlurmJobId[],
  options: LookOptions,
): Promise<readonly ShardProcess[]> {
  const queued = byShard(arrays, await askAll(arrays, askSqueue, options))
  const left = options.indexes.filter((shard) => !queued.has(shard))
  const accounted = left.length === 0 ? new Map() : byShard(arrays, await askAll(arrays, askSacct, options))
  return options.indexes.map((shard) => {
    const task = queued.get(shard)
    return task === undefined ? processThatLeft(shard, accounted.get(shard)) : processOfTask(shard, task)
  })
}

function byShard(arrays: readonly SlurmJobId[], tasks: readonly SlurmTask[]): ReadonlyMap<number, SlurmTask> {
  const offsets = new Map(arrays.map(({ job, offset }) => [job, offset]))
  return new Map(
    tasks.flatMap((task) => {
      const offset = offsets.get(task.job)
      return offset === undefined ? [] : [[offset + task.index, task] as const]
    }),
  )
}

type Ask = (jobs: string, cluster: readonly string[], options: LookOptions) => Promise<readonly SlurmTask[]>

async function askAll(arrays: readonly SlurmJobId[], ask: Ask, options: LookOptions): Promise<readonly SlurmTask[]> {
  const found: (readonly SlurmTask[])[] = []
  for (const { option, jobs } of jobsByCluster(arrays)) {
    found.push(await ask(jobs.map(({ job }) => job).join(","), option, options))
  }
  return found.flat()
}

/** squeue fails if Slurm has forgotten the only job that it is asked for. */
const FORGOTTEN = /invalid job id/i

async function askSqueue(jobs: string, cluster: readonly string[], { env, signal }: LookOptions) {
  // One line for each task, because Slurm cuts long lists of indexes. Ended tasks too, and those of hidden partitions.
  const options = ["--noheader", "--array", "--all", "--states=all", `--format=${SQUEUE_FORMAT}`]
  const output = await callSlurm(["squeue", ...cluster, ...options, `--jobs=${jobs}`], { env, signal })
  if (output.exitCode === 0) return parseSqueue(output.stdout)
  if (FORGOTTEN.test(output.stderr)) return []
  throw slurmFailed("squeue", output)
}

async function askSacct(jobs: string, cluster: readonly string[], { env, signal }: LookOptions) {
  const options = ["--noheader", "--parsable2", "--allocations", `--format=${SACCT_FORMAT}`]
  try {
    const { exitCode, stdout } = await callSlurm(["sacct", ...cluster, ...options, `--jobs=${jobs}`], { env, signal })
    return exitCode === 0 ? parseSacct(stdout) : []
  } catch (error) {
    signal.throwIfAborted()
    // Many clusters have no accounting, or none that responds. It says only how tasks ended.
    if (isAssayError(error, "executor_failed")) return []
    throw error
  }
}

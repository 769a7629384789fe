import { isAssayError } from "@assay/schemas/errors"
import type { ShardProcess } from "../executor.ts"
import { callSlurm, type SlurmCall } from "./call-slurm.ts"
import { callSqueue } from "./call-squeue.ts"
import { jobsByCluster, type SlurmJobId } from "./slurm-job-id.ts"
import {
  hasEnded,
  parseSacct,
  parseSqueue,
  processOfTask,
  SACCT_FORMAT,
  type SlurmTask,
  SQUEUE_FORMAT,
} from "./slurm-tasks.ts"

export interface LookOptions extends Pick<SlurmCall, "env"> {
  /** The shards of the arrays. */
  readonly indexes: readonly number[]
  /** The tasks of which the accounting has said before how they ended, by their ids. It is not asked again for them. */
  readonly accounted: Map<string, SlurmTask>
  readonly signal: AbortSignal
}

/** Tasks that sacct is asked for one by one. Of more it is asked for their arrays, because a word of a command line has a limit. */
const MAX_TASKS = 1000

/**
 * Returns the processes of shards. Slurm forgets a task some minutes after its end (MinJobAge). The accounting of the cluster then says how it ended,
 * if there is one.
 * @param arrays by ascending offset
 * @throws `executor_failed` if the controller does not respond; the reason of the signal
 */
export async function lookAtArrays(
  arrays: readonly SlurmJobId[],
  { indexes, accounted, ...call }: LookOptions,
): Promise<readonly ShardProcess[]> {
  const taskOf = (shard: number): SlurmJobId | undefined => {
    const array = arrays.findLast(({ offset }) => offset <= shard)
    return array === undefined ? undefined : { ...array, job: idOf({ job: array.job, index: shard - array.offset }) }
  }
  const queued = new Map((await askSqueue(arrays, call)).map((task) => [idOf(task), task]))
  const shards = indexes.map((shard) => ({ shard, task: taskOf(shard) }))
  // A task that Slurm has started again is in the queue again.
  for (const id of queued.keys()) accounted.delete(id)
  const left = shards.flatMap(({ task }) =>
    task === undefined || queued.has(task.job) || accounted.has(task.job) ? [] : [task],
  )
  for (const task of await askSacct(left.length > MAX_TASKS ? arrays : left, call)) {
    if (hasEnded(task)) accounted.set(idOf(task), task)
  }
  return shards.map(({ shard, task: { job } = { job: "" } }) => {
    const task = queued.get(job) ?? accounted.get(job)
    // The accounting can be behind the queue.
    return task === undefined ? { index: shard, state: "ended" } : processOfTask(shard, task)
  })
}

/** Returns the id of a task, as commands of Slurm take it. */
function idOf({ job, index }: Pick<SlurmTask, "job" | "index">): string {
  return `${job}_${index}`
}

type Call = Pick<LookOptions, "env" | "signal">

async function askSqueue(arrays: readonly SlurmJobId[], call: Call): Promise<readonly SlurmTask[]> {
  const found: (readonly SlurmTask[])[] = []
  for (const { option, jobs } of jobsByCluster(arrays)) {
    // One line for each task, because Slurm cuts long lists of indexes.
    found.push(parseSqueue(await callSqueue([...option, "--array", `--format=${SQUEUE_FORMAT}`], jobs, call)))
  }
  return found.flat()
}

async function askSacct(asked: readonly SlurmJobId[], { env, signal }: Call): Promise<readonly SlurmTask[]> {
  const found: (readonly SlurmTask[])[] = []
  const options = ["--noheader", "--parsable2", "--allocations", `--format=${SACCT_FORMAT}`]
  try {
    for (const { option, jobs } of jobsByCluster(asked)) {
      const words = [...option, ...options, `--jobs=${jobs.map(({ job }) => job).join(",")}`]
      const { exitCode, stdout } = await callSlurm(["sacct", ...words], { env, signal })
      if (exitCode === 0) found.push(parseSacct(stdout))
    }
  } catch (error) {
    signal.throwIfAborted()
    // Many clusters have no accounting, or none that responds. It says only how tasks ended.
    if (!isAssayError(error, "executor_failed")) throw error
  }
  return found.flat()
}

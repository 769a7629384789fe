import { isAbsolute, join } from "node:path"
import type { Executor, ExecutorPorts, ShardWork, Submission } from "../executor.ts"
import { cutIntoArrays } from "./array-indexes.ts"
import { cancelJobs } from "./cancel-jobs.ts"
import { lookAtArrays, type LookOptions } from "./look-at-arrays.ts"
import { readMaxArraySize } from "./max-array-size.ts"
import { renderSubmission } from "./render-submission.ts"
import { formatJobId, parseJobId, type SlurmJobId } from "./slurm-job-id.ts"
import { readShardLogs } from "./slurm-logs.ts"
import type { SlurmProfile } from "./slurm-profile.ts"
import { mergeScript, shardScript } from "./slurm-script.ts"
import { clientEnvironment, submissionEnvironment } from "./submission-environment.ts"
import { submitScripts } from "./submit-scripts.ts"

/**
 * Creates the executor that runs shards as arrays of Slurm, through `sbatch`, `squeue`, `sacct` and `scancel` on PATH. It needs neither a server nor a
 * database. An array whose indexes are too large for the cluster is cut into several.
 */
export function createSlurmExecutor(profile: SlurmProfile, { env, cwd, keys }: ExecutorPorts): Executor {
  const client = clientEnvironment(env)
  const accounted: LookOptions["accounted"] = new Map()
  const cancel = (ids: readonly SlurmJobId[]) => cancelJobs(ids, client)
  const writeScripts = async (work: ShardWork, signal?: AbortSignal) => {
    const logFolder = logFolderOf(work, profile, cwd)
    const parts = cutIntoArrays(work.indexes, await readMaxArraySize(client, signal))
    const options = { work, profile, logFolder }
    return {
      arrays: parts.map((part) => ({ part, script: shardScript(options, part) })),
      // Each array limits its own tasks. Two at the same time would run twice as many.
      isChained: work.atOnce < work.indexes.length,
      merge: work.merges ? mergeScript(options) : undefined,
      logFolder,
    }
  }
  return {
    async render(work) {
      const { arrays, ...scripts } = await writeScripts(work)
      const variables = profile.pass_environment ?? []
      return renderSubmission({ ...scripts, name: work.name, arrays: arrays.map(({ script }) => script), variables })
    },
    async submit(work, signal) {
      const variables = { ...submissionEnvironment(env, profile), ...keys }
      const scripts = await writeScripts(work, signal)
      const ids = await submitScripts({ ...scripts, env: variables, signal }, cancel)
      const { indexes, merges } = work
      return { ids: ids.map(formatJobId), indexes, merges, logs: scripts.logFolder }
    },
    look: async (submission, signal) =>
      lookAtArrays(arraysOf(submission), { indexes: submission.indexes, accounted, env: client, signal }),
    // The merge first: it would start when the shards have ended.
    cancel: async (submission) => cancel(submission.ids.map(parseJobId).toReversed()),
    async *logs(submission, index, signal) {
      const { logs } = submission
      if (logs !== undefined) yield* readShardLogs(logs, arraysOf(submission), index, signal)
    },
  }
}

function logFolderOf({ run, id }: ShardWork, { log_folder: given }: SlurmProfile, cwd: string): string {
  if (given !== undefined) return given
  return isAbsolute(run) ? join(run, "logs") : join(cwd, `assay-logs-${id}`)
}

/** Returns the jobs of the shards, without that of the merge. */
function arraysOf({ ids, merges }: Submission): readonly SlurmJobId[] {
  return (merges ? ids.slice(0, -1) : ids).map(parseJobId)
}

import { formatJobStatus } from "@assay/reports/terminal"
import { writeText } from "../../output/write-text.ts"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { confirm } from "../confirm.ts"
import { print } from "../print.ts"
import { withKeyHosts } from "../guard/inference-key.ts"
import { checkServedJob } from "./check-served-job.ts"
import { findCutRun } from "./engines/open-engines.ts"
import { cancelRun, showRunStatus } from "./engines/show-run.ts"
import { continueRun } from "./engines/watch-run.ts"
import { withPace } from "./shards/pace-location.ts"
import { runFolderAgain, type ContinueOptions } from "./run-here.ts"

/** The largest page. Shards that run are shown, and their numbers follow each other. */
const MAX_SHARDS = 1000

/** Runs `assay eval status <job>`. */
export async function showStatus(context: Context, id: string, options: JsonOption): Promise<void> {
  const run = await findCutRun(context, id)
  if (run !== undefined) return showRunStatus(context, run, options)
  checkServedJob(context, id, "'assay eval explain' and 'assay eval results' read folders")
  const { jobs } = openClient(context).evaluation
  const { signal } = context
  const status = await jobs.status(id, { signal })
  const shards = await jobs.shards(id, { limit: MAX_SHARDS }, { signal })
  const { executor, run: place, total, counts } = shards
  const shown = total === 0 ? status : { ...status, shards: { executor, run: place, total, ...counts } }
  await print(context, options, shown, () => formatJobStatus(id, status, shards))
}

/** Runs `assay eval cancel <job>`. */
export async function cancelJob(context: Context, id: string, options: JsonOption): Promise<void> {
  const run = await findCutRun(context, id)
  if (run !== undefined) return cancelRun(context, run, options)
  checkServedJob(context, id, "Ctrl-C in its terminal ends a run of this machine")
  const job = await openClient(context).evaluation.jobs.cancel(id, { signal: context.signal })
  await print(context, options, job, ({ status }) => `${id}: ${status}\n`)
}

/** Runs `assay eval resume <job>`. */
export function resumeJob(context: Context, jobOrFolder: string, options: ContinueOptions): Promise<ExitCode | void> {
  return continueJob(context, "resume", jobOrFolder, options)
}

/** Runs `assay eval retry-failed <job>`. */
export function retryFailedRows(
  context: Context,
  jobOrFolder: string,
  options: ContinueOptions,
): Promise<ExitCode | void> {
  return continueJob(context, "retry-failed", jobOrFolder, options)
}

/** Continues a job on the server, or in this process if `jobOrFolder` is the folder of a local run. */
async function continueJob(
  context: Context,
  what: "resume" | "retry-failed",
  jobOrFolder: string,
  options: ContinueOptions,
): Promise<ExitCode | void> {
  const run = await findCutRun(context, jobOrFolder)
  if (run !== undefined) {
    const { keyHost, pace } = options
    const own = withPace(withKeyHosts(context, keyHost), pace)
    return continueRun(own, run, { ...options, retriesFailed: what === "retry-failed" })
  }
  if (isLocal(context, jobOrFolder)) return runFolderAgain(context, jobOrFolder, what, options)
  const { jobs } = openClient(context).evaluation
  const { signal } = context
  const job = await (what === "resume"
    ? jobs.resume(jobOrFolder, { signal })
    : jobs.retryFailed(jobOrFolder, { signal }))
  await print(context, options, job, ({ id, status }) => `${id}: ${status}\n`)
}

export interface DeleteJobOptions extends JsonOption {
  readonly yes?: boolean
  readonly permanent?: boolean
}

/** Runs `assay eval delete <job>`. */
export async function deleteJob(context: Context, id: string, options: DeleteJobOptions): Promise<void> {
  checkServedJob(context, id, "delete the folder itself")
  const end = options.permanent === true ? " for good" : ""
  await confirm(context, `Delete ${id} and its results${end}?`, options.yes)
  const { permanent } = options
  const { signal, stderr } = context
  const removed = await openClient(context).evaluation.jobs.remove(id, { permanent, signal })
  await print(context, options, removed, () => `deleted ${id}\n`)
  const { restorable_until: until } = removed
  if (until !== null) await writeText(stderr, `Undo until ${until}: assay trash restore ${id}\n`)
}

import { join } from "node:path"
import type { JobRun, Jobs } from "@assay/registry"
import { createFolder, type Outages } from "@assay/storage"
import { type JobEnvironment, type Journal, journalInDatabase, openFileJournal, recordings } from "@assay/evaluation"
import { removeJobFolder } from "@assay/harness"
import { type JobLogLine, writeResults } from "@assay/results"
import type { ShardSender } from "../queue/shard-queue.ts"
import type { JobSetting, OpenJobSetting } from "../runner/job-setting.ts"
import { queuedShards } from "../shards/queued-shards.ts"
import { createHostEnvironment } from "../launch/host-environment.ts"
import { openJobSpending } from "./job-spending.ts"
import { jobFolder } from "./job-folders.ts"
import { rightsOfGrants } from "../rights/job-rights.ts"
import type { JobHost } from "../launch/job-host.ts"
import { filesUrlOfLocation, findResultsLocation } from "../outputs/results-location.ts"
import { servedSource } from "../outputs/served-source.ts"
import { stageResults } from "./stage-results.ts"

export interface JobSettingsContext extends JobHost {
  /** The folder for files of jobs on this machine. */
  readonly folder: string
  /** Versions of the program and its platform, written to `config/environment.json` of the results. */
  readonly versions: Readonly<Record<string, string>>
  /** Sends shards of jobs to the servers of a shared database. Absent: the database belongs to this server. */
  readonly shardSender?: ShardSender | undefined
}

/** Returns a function that opens the environment, the journal and the results of a job of this host. */
export function createJobSettings(context: JobSettingsContext): OpenJobSetting {
  const { registry, folder, versions, shardSender } = context
  // Other servers can continue the jobs of this one. Then journals are in the database.
  const isShared = registry.sharedDatabase !== undefined

  return async (run, outages) => {
    const { job, attempt } = run
    const { id, namespace: ownWorkspace } = job
    const workFolder = jobFolder(folder, id)
    await createFolder(workFolder, { mode: 0o700 })
    const rights = rightsOfGrants(attempt.grants)
    const environment = await createHostEnvironment(context, {
      workspace: ownWorkspace,
      job: id,
      rights,
      workFolder,
      responseCacheFolder: join(folder, "answers", ownWorkspace),
      outputFilesUrl: job.output_files_url,
      outages,
      recordingOf: job.config,
      launchedAt: Date.parse(job.created_at),
    })
    const files = registry.as((workspace) => workspace === ownWorkspace || rights.edits(workspace))
    const findLocation = () => findResultsLocation(registry.jobs, job, rights.edits)
    const journal = await openJournal(run, outages, { workFolder, isShared })
    const filesUrl = filesUrlOfLocation(await findLocation(), run.folder)
    const source = servedSource(job, { registry, rights, workFolder })
    const spent = openJobSpending(context, environment, ownWorkspace)
    return {
      environment: spent.environment,
      journal,
      source,
      // Workers of shards would ask the target.
      shards: source === undefined && shardSender ? queuedShards(run, shardSender) : undefined,
      runOnExecutor: await openExecutorRun(context, run, environment),
      filesUrl,
      async stageResults({ status, message, result, conditions, pins, progress }, signal) {
        const outcome = { status, message, result, conditions, pins, progress }
        const staged = await stageResults(run, { files, findLocation, signal, outages })
        try {
          const log = { [Symbol.asyncIterator]: () => jobLogLines(registry.jobs, id) }
          const recording = await recordings.describe(job.config, { own: files, workspace: ownWorkspace }, signal)
          const input = { job, ...outcome, journal, log, environment: versions, recording }
          await writeResults(input, staged, { signal })
          await staged.keepOthers()
        } catch (error) {
          await staged.toPublish.settle(false).catch(() => {})
          throw error
        }
        return staged.toPublish
      },
      async close() {
        await spent.close()
        await journal.close()
        // Another server may take the job up next. It could not use this folder.
        if (isShared) await removeJobFolder(workFolder)
      },
    }
  }
}

/** Loads the code of executors for a job that names one. */
async function openExecutorRun(
  { executors, registry: { jobs } }: JobSettingsContext,
  { job, beat }: Pick<JobRun, "job" | "beat">,
  environment: JobEnvironment,
): Promise<JobSetting["runOnExecutor"]> {
  if (job.config.params?.executor === undefined) return undefined
  const { createExecutorRun } = await import("../job-engines/run-on-executor.ts")
  const isCancelled = async () => (await jobs.get(job.id)).status === "CANCELLING"
  const holds = async () => ![undefined, "CANCELLING"].includes(await beat())
  return createExecutorRun({ executors, job, environment, isCancelled, holds })
}

async function openJournal(
  run: JobRun,
  outages: Outages,
  { workFolder, isShared }: { readonly workFolder: string; readonly isShared: boolean },
): Promise<Journal> {
  return isShared ? journalInDatabase(await run.openJournal(outages)) : openFileJournal(join(workFolder, "rows.jsonl"))
}

const PAGE = 1000

/** Reads the log of a job from its events, also those of runners on other machines. */
async function* jobLogLines(
  jobs: Pick<Jobs, "listEvents">,
  id: string,
): AsyncGenerator<JobLogLine & { readonly at: number }, void> {
  for (let last = 0; ;) {
    const events = await jobs.listEvents(id, last, PAGE)
    for (const { kind, data, created_at, seq } of events) {
      last = seq
      if (kind === "log") yield { at: Date.parse(created_at), ...(data as JobLogLine) }
    }
    if (events.length < PAGE) return
  }
}

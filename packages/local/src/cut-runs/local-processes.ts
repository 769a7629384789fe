import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createFolder } from "@assay/storage"
import { type JobEnvironment, programFiles } from "@assay/evaluation"
import type { LaunchEstimate } from "@assay/schemas"
import { checkLaunch, type FailedCheck, launchRefused } from "@assay/attempts"
import { createLocalEnvironment, type LocalPorts } from "../local-environment.ts"
import { openSharedRecording } from "../local-recording.ts"
import { cutJob, type CutJobOptions } from "./cut-job.ts"
import { mergeShards, type MergeShardsOptions } from "./merge-shards.ts"
import type { MergedRun } from "./merged-run.ts"
import { type CutShardEnd, type CutShardOptions, runCutShard } from "./run-cut-shard.ts"
import { isSameJob, type SameJobOptions } from "./same-job.ts"
import { readPlan, type ShardPlan, type RunStore } from "@assay/executors"

/** The parts of the process that the commands of a run use. */
export interface CutRunPorts extends LocalPorts {
  /** The name of this machine. */
  readonly host: string
}

export interface CutLocallyOptions extends Omit<CutJobOptions, "environment" | "prices"> {
  readonly skipChecks: boolean
  /** The launch checks found nothing that prevents the run, but these warnings. */
  readonly onWarnings: (warnings: readonly FailedCheck[]) => void
  readonly onEstimate: (estimate: LaunchEstimate) => void
}

/** Checks a job as a run of this machine does, and cuts it into shards. @throws `launch_refused`; the errors of `cutJob` */
export async function cutLocally(ports: CutRunPorts, store: RunStore, options: CutLocallyOptions): Promise<ShardPlan> {
  return withScratch(async (scratch) => {
    const { recording, signal } = options
    const job = await programFiles.withSource(options.job, ports.filesets, signal)
    // Shards of this machine record only into a folder that exists.
    if (recording !== undefined) await createFolder(recording.folder, { mode: 0o700, durable: false })
    const environment = environmentIn(ports, {
      workspace: job.namespace,
      folder: options.folder,
      scratch,
      recording,
    })
    if (!options.skipChecks) {
      const { failed, warnings, estimate } = await checkLaunch(job, environment, { signal })
      signal.throwIfAborted()
      if (failed.length > 0) throw launchRefused(failed)
      if (warnings.length > 0) options.onWarnings(warnings)
      options.onEstimate(estimate)
    }
    return cutJob(store, { ...options, job, environment, prices: ports.prices })
  })
}

/** Runs one shard of a run in this process. @throws the errors of `runCutShard` */
export async function runShardLocally(
  ports: CutRunPorts,
  store: RunStore,
  options: Omit<CutShardOptions, "openEnvironment" | "scratch" | "host">,
): Promise<CutShardEnd> {
  const { job, prices, recording } = await readPlan(store)
  const openEnvironment = (folder: string, work: string) =>
    environmentIn({ ...ports, prices }, { workspace: job.namespace, folder, scratch: work, recording })
  return withScratch((scratch) => runCutShard(store, { ...options, openEnvironment, scratch, host: ports.host }))
}

/** Merges the shards of a run in this process. @throws the errors of `mergeShards` */
export async function mergeLocally(
  ports: CutRunPorts,
  store: RunStore,
  options: Pick<MergeShardsOptions, "out" | "signal">,
): Promise<MergedRun> {
  const { job, prices } = await readPlan(store)
  const { programs, pid, now } = ports
  const openEnvironment = (folder: string, work: string) =>
    environmentIn({ ...ports, prices }, { workspace: job.namespace, folder, scratch: work })
  return withScratch((scratch) => mergeShards(store, { ...options, openEnvironment, scratch, programs, pid, now }))
}

/** Returns whether a run was cut from a job of this machine. See `isSameJob`. */
export function isSameLocally(
  ports: CutRunPorts,
  plan: ShardPlan,
  { folder, ...options }: Omit<SameJobOptions, "environment"> & { readonly folder: string },
): Promise<boolean> {
  return withScratch(async (scratch) => {
    const environment = environmentIn(ports, { workspace: options.job.namespace, folder, scratch })
    const job = await programFiles.withSource(options.job, ports.filesets, options.signal)
    return isSameJob(plan, { ...options, job, environment })
  })
}

interface Surroundings {
  readonly workspace: string
  readonly folder: string
  readonly scratch: string
  readonly recording?: ShardPlan["recording"]
}

function environmentIn(
  ports: LocalPorts,
  { workspace, folder, scratch, recording: planned }: Surroundings,
): JobEnvironment {
  const recording = planned === undefined ? undefined : openSharedRecording(planned)
  const folders = { folder, dataFolder: scratch, digests: new Map<string, string>(), recording }
  // Answers are not shared otherwise: they would be in a folder of one process.
  return { ...createLocalEnvironment(ports, folders, workspace, scratch), responseCacheFolder: undefined }
}

/** Calls a function with a new folder for temporary files, and removes it. */
async function withScratch<T>(work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), "assay-run-"))
  try {
    return await work(scratch)
  } finally {
    await rm(scratch, { recursive: true, force: true }).catch(() => {})
  }
}

import { setTimeout as pause } from "node:timers/promises"
import type { Jobs, WorkspaceLimits } from "@assay/registry"
import type { RunnerLog } from "../runner/start-runner.ts"
import { runShards, type RunningShards } from "./run-shards.ts"
import type { RunShardsOptions } from "./worker-state.ts"

export interface ShardWorkersOptions extends Omit<RunShardsOptions, "continues"> {
  readonly jobs: Pick<Jobs, "listOpenShards" | "joinShards">
  /** Maximum number of jobs whose shards this process runs at the same time. */
  readonly concurrency: number
  readonly limits?: WorkspaceLimits | undefined
  readonly log: RunnerLog
  /** Milliseconds between two beats. Default 1000. */
  readonly beatMs?: number | undefined
}

/** The workers of this process that run shards of jobs. */
export interface ShardWorkers {
  /** Looks for shards at once, because a job was opened for workers here. */
  look(): void
  /** Stops the shards of a job at once if they run here. */
  cancel(jobId: string): void
  /** Releases all shards. Other workers continue them. */
  close(): Promise<void>
}

/** The jobs of which this process runs shards. */
interface JoinedJobs {
  readonly options: ShardWorkersOptions
  readonly running: Map<string, RunningShards>
  /** The ends of all that run. */
  readonly ending: Set<Promise<void>>
  readonly closed: AbortController
}

/** Maximum number of jobs that one look finds. */
const LOOK = 20

/** Looks for jobs with free shards, and works on them. */
export function startShardWorkers(options: ShardWorkersOptions): ShardWorkers {
  const joined: JoinedJobs = { options, running: new Map(), ending: new Set(), closed: new AbortController() }
  const { running, ending, closed } = joined
  const { log, beatMs = 1000 } = options
  let looking: Promise<void> | undefined
  let isDue = false

  /** One look at a time: two could join a job twice. */
  async function lookSafely(): Promise<void> {
    isDue = true
    looking ??= lookWhileDue().finally(() => {
      looking = undefined
    })
    await looking
  }

  /** Looks again until no look is due: a job that is opened during a look may be missing in it. */
  async function lookWhileDue(): Promise<void> {
    while (isDue && !closed.signal.aborted) {
      isDue = false
      await joinOpenJobs(joined).catch((error: unknown) =>
        log.warn({ err: error }, "could not look for shards of evaluation jobs"),
      )
    }
  }

  async function lookAndBeat(): Promise<void> {
    while (!closed.signal.aborted || running.size > 0) {
      await Promise.all([...running.values()].map((shards) => shards.beat()))
      await lookSafely()
      await pause(beatMs, undefined, { signal: closed.signal }).catch(() => pause(running.size === 0 ? 0 : 100))
    }
  }

  const beating = lookAndBeat()
  return {
    look: () => void lookSafely(),
    cancel: (jobId) => running.get(jobId)?.stop(),
    async close() {
      closed.abort()
      for (const shards of running.values()) shards.stop()
      await Promise.all(ending)
      await Promise.all([beating, looking])
    },
  }
}

/** Looks for jobs with free shards, and joins as many as this process may run. */
async function joinOpenJobs(joined: JoinedJobs): Promise<void> {
  const { running, closed } = joined
  const { jobs, concurrency, limits } = joined.options
  if (running.size >= concurrency) return
  for (const id of await jobs.listOpenShards(LOOK, limits)) {
    if (running.size >= concurrency || closed.signal.aborted) return
    if (!running.has(id)) await joinJob(id, joined)
  }
}

async function joinJob(jobId: string, joined: JoinedJobs): Promise<void> {
  const { options, running, ending, closed } = joined
  const { jobs, limits, log } = options
  const worker = await jobs.joinShards(jobId, limits)
  if (worker === undefined) return
  log.info({ job: jobId }, "this worker takes shards of an evaluation job")
  const shards = runShards(worker, { ...options, continues: () => takesMore(jobId, joined) })
  running.set(jobId, shards)
  if (closed.signal.aborted) shards.stop()
  const ended: Promise<void> = shards.ended
    .catch((error: unknown) =>
      log.warn({ err: error, job: jobId }, "shards of an evaluation job were released after an error"),
    )
    .finally(() => {
      running.delete(jobId)
      ending.delete(ended)
    })
  ending.add(ended)
}

/** Returns whether a worker takes another shard of its job: not if another job comes first, and this process runs shards of as many jobs as it may. */
async function takesMore(jobId: string, { options, running }: JoinedJobs): Promise<boolean> {
  const { jobs, concurrency, limits } = options
  if (running.size < concurrency) return true
  const waiting = await jobs.listOpenShards(1, limits).catch(() => [])
  return waiting.every((id) => id === jobId || running.has(id))
}

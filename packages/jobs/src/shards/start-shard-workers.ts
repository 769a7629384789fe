import { setTimeout as pause } from "node:timers/promises"
import type { Jobs, WorkspaceLimits } from "@assay/registry"
import type { RunnerLog } from "../runner/start-runner.ts"
import { runShards, type RunningShards, type RunShardsOptions } from "./run-shards.ts"

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

/** Maximum number of jobs that one look finds. */
const LOOK = 20

/** Looks for jobs with free shards, and works on them. */
export function startShardWorkers(options: ShardWorkersOptions): ShardWorkers {
  const { jobs, concurrency, limits, log, beatMs = 1000 } = options
  const running = new Map<string, RunningShards>()
  const ending = new Set<Promise<void>>()
  const closed = new AbortController()
  let looking: Promise<void> | undefined
  let isDue = false

  /** A worker takes shards of another job if that one comes first, and all places here are taken. */
  async function continues(jobId: string): Promise<boolean> {
    if (running.size < concurrency) return true
    const waiting = await jobs.listOpenShards(1, limits).catch(() => [])
    return waiting.every((id) => id === jobId || running.has(id))
  }

  async function join(jobId: string): Promise<void> {
    const worker = await jobs.joinShards(jobId, limits)
    if (worker === undefined) return
    log.info({ job: jobId }, "this worker takes shards of an evaluation job")
    const shards = runShards(worker, { ...options, continues: () => continues(jobId) })
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

  async function look(): Promise<void> {
    if (running.size >= concurrency) return
    for (const id of await jobs.listOpenShards(LOOK, limits)) {
      if (running.size >= concurrency || closed.signal.aborted) return
      if (!running.has(id)) await join(id)
    }
  }

  /** One look at a time: two could join a job twice. */
  async function lookSafely(): Promise<void> {
    isDue = true
    looking ??= lookWhileDue().finally(() => {
      looking = undefined
    })
    await looking
  }

  /** A job that is opened during a look may be missing in it. */
  async function lookWhileDue(): Promise<void> {
    while (isDue && !closed.signal.aborted) {
      isDue = false
      await look().catch((error: unknown) => log.warn({ err: error }, "could not look for shards of evaluation jobs"))
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

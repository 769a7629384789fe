import { setTimeout as pause } from "node:timers/promises"
import type { Jobs } from "@assay/job-store"
import { isAssayError } from "@assay/schemas"
import type { PgBoss } from "pg-boss"
import type { RunnerLog } from "../runner/start-runner.ts"
import { deliverShards, type ShardDeliveryOptions, type ShardMessage } from "../queue/shard-queue.ts"
import { type JobWorker, startWorker } from "./start-worker.ts"
import type { WorkerOptions } from "./worker-state.ts"

export interface ShardWorkersOptions
  extends WorkerOptions, Pick<ShardDeliveryOptions, "concurrency" | "maxPerWorkspace" | "pollMs" | "bell"> {
  readonly jobs: Pick<Jobs, "joinShards" | "settleLostShard">
  readonly boss: PgBoss
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
  /** Gives all shards back. Other workers continue them. */
  close(): Promise<void>
}

/** The part of this process in a job, while it runs shards of one opening. */
interface Part {
  readonly jobId: string
  /** Undefined if the opening is over. */
  readonly joined: Promise<JobWorker | undefined>
  worker: JobWorker | undefined
  /** Messages that use it. */
  uses: number
  isLeaving: boolean
  /** Resolves when this process has left the job. */
  readonly left: PromiseWithResolvers<void>
}

interface Parts {
  readonly options: ShardWorkersOptions
  /** By job and opening. */
  readonly byKey: Map<string, Part>
  readonly closing: AbortController
}

/** Runs the shards that the queue delivers. */
export function startShardWorkers(options: ShardWorkersOptions): ShardWorkers {
  const { boss, jobs, log, concurrency, maxPerWorkspace, pollMs, bell, beatMs = 1000 } = options
  const parts: Parts = { options, byKey: new Map(), closing: new AbortController() }
  const { byKey, closing } = parts
  const delivery = deliverShards(boss, {
    handler: (message, claim) => runMessage(parts, message, claim),
    concurrency,
    maxPerWorkspace,
    pollMs,
    bell,
    onLost: ({ jobId, ...shard }) => jobs.settleLostShard(jobId, shard),
    onError: (error) => log.warn({ err: error }, "the queue of shards failed"),
    // A job is left when no shard of it was there.
    onLooked: () => leaveParts(parts),
  })
  const workers = () => [...byKey.values()].flatMap(({ worker }) => worker ?? [])

  async function beatUntilClosed(): Promise<void> {
    while (!closing.signal.aborted || byKey.size > 0) {
      await Promise.all(workers().map((worker) => worker.beat()))
      await pause(beatMs, undefined, { signal: closing.signal }).catch(() => pause(byKey.size === 0 ? 0 : 100))
    }
  }

  const beating = beatUntilClosed()
  return {
    look: delivery.look,
    cancel(jobId) {
      for (const part of byKey.values()) if (part.jobId === jobId) part.worker?.stop()
    },
    async close() {
      closing.abort()
      for (const worker of workers()) worker.stop()
      await delivery.close()
      leaveParts(parts)
      await beating
    },
  }
}

/** Runs a shard, in the part of this process in its job. */
async function runMessage(parts: Parts, message: ShardMessage, claim: AbortSignal): Promise<"done" | "given back"> {
  const part = await usePart(parts, message)
  try {
    const worker = await part.joined
    if (worker === undefined) return "done"
    if (parts.closing.signal.aborted) worker.stop()
    return await worker.run(message.shard, claim)
  } catch (error) {
    if (isAssayError(error, "unavailable")) return "given back"
    throw error
  } finally {
    part.uses--
    if (part.uses === 0 && part.worker?.isStopping !== false) leavePart(parts, part)
  }
}

/** Returns the part of this process in a job, which is joined if it was not. */
async function usePart(parts: Parts, message: ShardMessage): Promise<Part> {
  const { byKey } = parts
  const key = keyOf(message)
  // A part that stops is left before the job is joined again.
  for (let known = byKey.get(key); known !== undefined; known = byKey.get(key)) {
    if (!known.isLeaving && known.worker?.isStopping !== true) {
      known.uses++
      return known
    }
    await known.left.promise
  }
  const part: Part = {
    jobId: message.jobId,
    joined: joinJob(parts, message),
    worker: undefined,
    uses: 1,
    isLeaving: false,
    left: Promise.withResolvers(),
  }
  // Those who use it see the error.
  part.joined.then((worker) => (part.worker = worker)).catch(() => {})
  byKey.set(key, part)
  return part
}

async function joinJob({ options }: Parts, { jobId, opening }: ShardMessage): Promise<JobWorker | undefined> {
  const worker = await options.jobs.joinShards(jobId, opening)
  if (worker === undefined) return undefined
  options.log.info({ job: jobId }, "this worker runs shards of an evaluation job")
  return startWorker(worker, options)
}

/** Leaves the jobs of which no shard runs here. */
function leaveParts(parts: Parts): void {
  for (const part of parts.byKey.values()) if (part.uses === 0) leavePart(parts, part)
}

/** Leaves a job. Its part is known until it is left, so that it is not joined twice. */
function leavePart({ options, byKey }: Parts, part: Part): void {
  const { jobId, worker, left } = part
  if (part.isLeaving) return
  part.isLeaving = true
  worker?.stop()
  void (worker?.leave() ?? Promise.resolve())
    .catch((error: unknown) => options.log.warn({ err: error, job: jobId }, "could not leave an evaluation job"))
    .finally(() => {
      for (const [key, one] of byKey) if (one === part) byKey.delete(key)
      left.resolve()
    })
}

function keyOf({ jobId, opening }: ShardMessage): string {
  return `${jobId} ${opening}`
}

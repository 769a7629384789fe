import type { ShardNews, ShardWorker } from "@assay/registry"
import { isAssayError } from "@assay/schemas"
import { NO_PATIENCE, type Outages } from "@assay/storage"
import type { Telemetry } from "@assay/telemetry"
import { createConcurrencyLimit, createRequestSlots, describeLimit, type JobEnvironment } from "@assay/evaluation"
import type { OpenOutages } from "../runner/open-outages.ts"
import { createShardReport, type ShardReport } from "./shard-report.ts"

/** The environment of a job on this worker. */
export interface ShardSetting {
  readonly environment: JobEnvironment
  close(): Promise<void>
}

export interface WorkerOptions {
  readonly openSetting: (worker: ShardWorker, outages: Outages) => Promise<ShardSetting>
  /** As for a job. Absent: the first error of storage and the database counts. */
  readonly openOutages?: OpenOutages | undefined
  /** Makes a span of each shard. Absent: nothing is collected. */
  readonly telemetry?: Telemetry | undefined
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns milliseconds since any moment, for elapsed times. The clock of the machine does not change it. */
  readonly elapsed: () => number
}

/** The state that the parts of a worker share: its beats, and the shards that it runs. */
export interface WorkerState {
  readonly worker: ShardWorker
  readonly options: WorkerOptions
  /** Aborted when the worker has to stop. */
  readonly stopping: AbortController
  readonly report: ShardReport
  readonly slots: ReturnType<typeof createRequestSlots>
  readonly outages: Outages
  /** Maximum number of requests in flight, by the last orders. */
  share: number
  /** Whether another worker may have the share and the shards. */
  isLost: boolean
  /** Whether the target has answered a row. */
  hasSucceeded: boolean
  /** When the lease was renewed last. */
  heldSince: number
  /** The budget of the workspace. Undefined until the environment is open, and without a budget. */
  spending: JobEnvironment["spending"]
}

export function createWorkerState(worker: ShardWorker, options: WorkerOptions): WorkerState {
  const { openOutages, now, elapsed } = options
  const stopping = new AbortController()
  const report = createShardReport(now)
  const outages = openOutages?.(report.log, stopping.signal) ?? NO_PATIENCE
  const limit = createConcurrencyLimit({
    max: () => state.share,
    now: elapsed,
    onChange: (limit) => report.log(describeLimit("A worker", limit, state.share)),
  })
  const state: WorkerState = {
    worker,
    options,
    stopping,
    report,
    slots: createRequestSlots(limit),
    outages,
    share: worker.share,
    isLost: false,
    hasSucceeded: false,
    heldSince: elapsed(),
    spending: undefined,
  }
  return state
}

export function stopWorker({ stopping }: WorkerState): void {
  stopping.abort()
}

/** Stops a worker whose shards another worker may have. */
export function loseShards(state: WorkerState): undefined {
  state.isLost = true
  stopWorker(state)
}

/** Stops a worker after an error. @throws an error of our own code */
export function failWorker(state: WorkerState, error: unknown): void {
  if (isAssayError(error, "runner_lost")) return loseShards(state)
  if (state.stopping.signal.aborted) return
  if (!isAssayError(error)) throw error
  state.report.addError(error)
  stopWorker(state)
}

export function takeNews({ report, share, slots }: WorkerState): ShardNews {
  return report.take(Math.max(share, slots.taken()))
}

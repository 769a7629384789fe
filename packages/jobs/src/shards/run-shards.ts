import type { ShardWorker } from "@assay/registry"
import { planJob } from "@assay/evaluation"
import { sendBeat } from "./send-beat.ts"
import { createShardBeats } from "./shard-beats.ts"
import { takeShards } from "./take-shards.ts"
import {
  createWorkerState,
  failWorker,
  type RunShardsOptions,
  stopWorker,
  takeNews,
  type WorkerState,
} from "./worker-state.ts"

/** Shards of one job that this process runs. */
export interface RunningShards {
  /** Renews the lease, and reports. Never throws. */
  beat(): Promise<void>
  /** Gives up the rows in flight, and releases the shards. */
  stop(): void
  readonly ended: Promise<void>
}

/** Takes shards of a job and runs them, until no shard is free or the worker has to stop. */
export function runShards(worker: ShardWorker, options: RunShardsOptions): RunningShards {
  const state = createWorkerState(worker, options)
  const beats = createShardBeats({ send: () => sendBeat(state), slots: state.slots })

  async function workAndLeave(): Promise<void> {
    try {
      await work(state).catch((error: unknown) => failWorker(state, error))
    } finally {
      beats.end()
      if (!state.isLost) await worker.leave(takeNews(state))
    }
  }

  return { beat: () => beats.beat(), stop: () => stopWorker(state), ended: workAndLeave() }
}

/** Opens the environment, plans the job, and runs shards of it. */
async function work(state: WorkerState): Promise<void> {
  const { worker, options, outages, stopping } = state
  const setting = await outages.outlast(() => options.openSetting(worker, outages))
  state.spending = setting.environment.spending
  try {
    const { id, namespace, target, config } = worker.job
    const { number: attempt, scope } = worker.attempt
    const runnable = { id, namespace, target, config, attempt, scope }
    const plan = await planJob(runnable, { ...setting.environment, outages }, { signal: stopping.signal })
    try {
      await takeShards(state, { plan, environment: setting.environment })
    } finally {
      await plan.close()
    }
  } finally {
    await setting.close()
  }
}

import type { TakenShard } from "@assay/registry"
import { traceWork } from "@assay/telemetry"
import type { JobEnvironment, JobPlan } from "@assay/evaluation"
import { orderLines } from "./order-lines.ts"
import { countsOf, runShard, type ShardOutcome } from "./run-shard.ts"
import { spanOfShard } from "./span-of-shard.ts"
import { failWorker, stopWorker, wakeWorker, type WorkerState } from "./worker-state.ts"

/** The job as a worker runs shards of it. */
export interface ShardJob {
  readonly plan: JobPlan
  readonly environment: JobEnvironment
}

/** The shards that a worker has, and those of them that still ask. */
interface HeldShards {
  readonly asking: Set<Promise<void>>
  readonly all: Set<Promise<void>>
}

/** Shards that ask at a time: a second one begins while the last rows of the first one are in flight. */
const SHARDS_AT_A_TIME = 2
/** Shards that a worker holds at a time. Those that no longer ask may be on their way to the storage. */
const SHARDS_HELD = 4

/** Takes shards and runs them, until no shard is free or the worker has to stop. Returns when all of them have ended. */
export async function takeShards(state: WorkerState, job: ShardJob): Promise<void> {
  const held: HeldShards = { asking: new Set(), all: new Set() }
  try {
    await takeInto(held, state, job)
  } finally {
    // Also if one of them has thrown: the plan must stay open until all have ended.
    await Promise.allSettled(held.all)
  }
}

async function takeInto(held: HeldShards, state: WorkerState, job: ShardJob): Promise<void> {
  const { worker, options, stopping, outages } = state
  const { asking, all } = held
  let isOver = false
  while (!stopping.signal.aborted && !(isOver && all.size === 0)) {
    if (isOver || !mayHoldMore(held, state)) {
      await Promise.race([state.news.promise, ...asking, ...all])
      continue
    }
    // Also if all of these end during the next steps, their workspace may have more shards again.
    const before = [...all]
    const mayTake = state.spending?.reached() === undefined && (await options.continues())
    const shard = mayTake ? await outages.outlast(() => worker.take()) : undefined
    if (shard === undefined) {
      // The workspace may have as many shards as it may until one of these is done.
      if (mayTake && before.length > 0) await Promise.race(before)
      isOver = !mayTake || before.length === 0
      continue
    }
    startShard(shard, held, state, job)
  }
}

/** Returns whether the worker may begin another shard now. */
function mayHoldMore({ asking, all }: HeldShards, { lead, share }: WorkerState): boolean {
  const isEarly = asking.size > 0 && !lead.isDue(share)
  return !isEarly && asking.size < SHARDS_AT_A_TIME && all.size < SHARDS_HELD && share > 0
}

/** Starts a shard, which is held until it has ended. */
function startShard(shard: TakenShard, { asking, all }: HeldShards, state: WorkerState, job: ShardJob): void {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  asking.add(asked)
  state.lead.began(shard.shard)
  const onAsked = (): void => {
    state.lead.asked(shard.shard)
    asking.delete(asked)
    resolve()
  }
  const run = () => runHeldShard(shard, state, job, onAsked)
  const one: Promise<void> = traceWork(state.options.telemetry, spanOfShard(state.worker, shard), run)
    .catch((error: unknown) => {
      stopWorker(state)
      throw error
    })
    .finally(() => {
      onAsked()
      all.delete(one)
    })
  all.add(one)
}

/** Runs a shard and records its end. Calls `onAsked` when the shard asks nothing more. */
async function runHeldShard(shard: TakenShard, state: WorkerState, job: ShardJob, onAsked: () => void): Promise<void> {
  const { report, outages } = state
  try {
    const { end, progress, facts } = await askRows(shard, state, job)
    onAsked()
    if (end.kind === "finished")
      await outages.outlast(() => shard.finish(countsOf(progress), { facts, arrange: orderLines }))
    else if (end.kind === "failed") {
      report.stopJob({ code: end.code, message: end.message })
      stopWorker(state)
    }
    report.keepFindings(progress)
  } catch (error) {
    failWorker(state, error)
  } finally {
    report.forget(shard.shard)
  }
}

function askRows(shard: TakenShard, state: WorkerState, { plan, environment }: ShardJob): Promise<ShardOutcome> {
  const { report, lead, outages, slots, stopping } = state
  const { attempt } = state.worker
  return runShard(plan, shard, {
    job: { attempt: attempt.number, scope: attempt.scope },
    // The run measures only elapsed times.
    environment: { ...environment, now: state.options.elapsed },
    outages,
    slots,
    hasSucceeded: state.hasSucceeded,
    signal: stopping.signal,
    onProgress(progress) {
      report.progressed(shard.shard, progress)
      lead.progressed(shard.shard, progress)
      wakeWorker(state)
    },
    onKept: report.addRow,
    onRow(row) {
      report.addRow(row)
      state.hasSucceeded ||= row.error === null
    },
    onLog: report.log,
    onRetry: report.addRetry,
    onFailure: report.addFailure,
  })
}

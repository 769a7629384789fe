import type { ShardWorker, TakenShard } from "@assay/job-store"
import { AssayError, isAssayError } from "@assay/schemas"
import { traceWork } from "@assay/telemetry"
import { type JobEnvironment, type JobPlan, planJob } from "@assay/evaluation"
import { orderLines } from "./order-lines.ts"
import { countsOf, runShard, type ShardOutcome } from "./run-shard.ts"
import { sendBeat } from "./send-beat.ts"
import { createShardBeats } from "./shard-beats.ts"
import { spanOfShard } from "./span-of-shard.ts"
import {
  createWorkerState,
  failWorker,
  stopWorker,
  takeNews,
  type WorkerOptions,
  type WorkerState,
} from "./worker-state.ts"

/** The part of this process in a job: it asks rows of some shards with its share of the parallelism. */
export interface JobWorker {
  /** Renews the lease, and reports. Never throws. */
  beat(): Promise<void>
  /** Gives up the rows in flight. */
  stop(): void
  readonly isStopping: boolean
  /**
   * Runs a shard. `claim` is aborted when another worker has it. Returns whether it needs no worker any more.
   * @throws `runner_lost`, and errors of our own code
   */
  run(shard: number, claim: AbortSignal): Promise<"done" | "given back">
  /** Gives up the share when no shard runs. */
  leave(): Promise<void>
}

/** A job that is planned. */
interface PlannedJob {
  readonly plan: JobPlan
  readonly environment: JobEnvironment
  close(): Promise<void>
}

/** Milliseconds until a shard is given back that the budget of the workspace holds up. */
const BUDGET_MS = 2000

export function startWorker(worker: ShardWorker, options: WorkerOptions): JobWorker {
  const state = createWorkerState(worker, options)
  const beats = createShardBeats({ send: () => sendBeat(state), slots: state.slots })
  const planned = openJob(state).catch((error: unknown) => failWorker(state, error))
  // Those who run shards see the error.
  planned.catch(() => {})
  const running = new Map<number, Promise<unknown>>()

  return {
    beat: () => beats.beat(),
    stop: () => stopWorker(state),
    get isStopping() {
      return state.stopping.signal.aborted
    },
    async run(shard, claim) {
      const before = running.get(shard)
      const done = (async () => {
        // The claim was lost and came back before the rows in flight had ended.
        await before?.catch(() => {})
        return runClaimed(state, { shard, claim, planned })
      })()
      running.set(shard, done)
      try {
        return await done
      } finally {
        if (running.get(shard) === done) running.delete(shard)
      }
    },
    async leave() {
      beats.end()
      const job = await planned.catch(() => {})
      try {
        if (!state.isLost) await worker.leave(takeNews(state))
      } finally {
        await job?.close()
      }
    },
  }
}

/** Opens the environment, and plans the job. */
async function openJob(state: WorkerState): Promise<PlannedJob> {
  const { worker, options, outages, stopping } = state
  const setting = await outages.outlast(() => options.openSetting(worker, outages))
  const { environment } = setting
  try {
    state.spending = environment.spending
    const { id, namespace, target, config } = worker.job
    const { number: attempt, scope } = worker.attempt
    const runnable = { id, namespace, target, config, attempt, scope }
    const plan = await planJob(
      runnable,
      { ...environment, outages },
      {
        signal: stopping.signal,
        // A request needs a place first, so without a share none waits for its turn.
        ofRate: {
          share: () => Math.max(1, state.share) / worker.parallelism,
          // Those who had the places before may have just sent their last requests.
          firstMs: (spacing) => spacing,
        },
      },
    )
    const close = async () => {
      await plan.close()
      await setting.close()
    }
    return { plan, environment, close }
  } catch (error) {
    await setting.close()
    throw error
  }
}

interface ClaimedShard {
  readonly shard: number
  readonly claim: AbortSignal
  readonly planned: Promise<PlannedJob | void>
}

async function runClaimed(state: WorkerState, { shard, claim, planned }: ClaimedShard): Promise<"done" | "given back"> {
  const job = await planned
  const taken = job === undefined || claim.aborted ? undefined : await takeShard(state, shard)
  if (job !== undefined && taken === "over") return "done"
  if (job !== undefined && taken !== undefined && taken !== "over") {
    const run = () => runTaken(state, taken, { job, claim })
    if (await traceWork(state.options.telemetry, spanOfShard(state.worker, taken), run)) return "done"
  }
  if (!claim.aborted && !state.isLost) return "given back"
  throw new AssayError("runner_lost", `Another worker has shard ${shard} of job '${state.worker.job.id}'.`)
}

/** Takes a shard. Undefined: this worker has to stop, or the workspace has nothing left. */
async function takeShard(state: WorkerState, shard: number): Promise<TakenShard | "over" | undefined> {
  const { worker, stopping, outages, spending } = state
  if (stopping.signal.aborted) return undefined
  if (spending?.reached() !== undefined) {
    // The runner of the job ends it soon. Until then, the shard would be delivered again and again.
    await pause(BUDGET_MS, stopping.signal)
    return undefined
  }
  try {
    return (await outages.outlast(() => worker.take(shard))) ?? "over"
  } catch (error) {
    failWorker(state, error)
    return undefined
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true })
  })
}

interface RunOfShard {
  readonly job: PlannedJob
  readonly claim: AbortSignal
}

/** Runs a shard that was taken. Returns whether it is done. @throws `runner_lost` if another worker has taken it */
async function runTaken(state: WorkerState, shard: TakenShard, run: RunOfShard): Promise<boolean> {
  const { report, outages } = state
  try {
    const { end, progress, facts } = await askRows(state, shard, run)
    const isFinished = end.kind === "finished"
    if (isFinished) await outages.outlast(() => shard.finish(countsOf(progress), { facts, arrange: orderLines }))
    else if (end.kind === "failed") {
      report.stopJob({ code: end.code, message: end.message })
      stopWorker(state)
    }
    report.keepFindings(progress)
    return isFinished
  } catch (error) {
    // Only this shard is lost.
    if (isAssayError(error, "runner_lost") && !state.isLost) throw error
    failWorker(state, error)
    return false
  } finally {
    report.forget(shard.shard)
  }
}

function askRows(state: WorkerState, shard: TakenShard, { job, claim }: RunOfShard): Promise<ShardOutcome> {
  const { report, outages, slots, stopping, options } = state
  const { attempt } = state.worker
  return runShard(job.plan, shard, {
    job: { attempt: attempt.number, scope: attempt.scope },
    // The run measures only elapsed times.
    environment: { ...job.environment, now: options.elapsed },
    outages,
    slots,
    hasSucceeded: state.hasSucceeded,
    signal: AbortSignal.any([stopping.signal, claim]),
    onProgress: (progress) => report.progressed(shard.shard, progress),
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

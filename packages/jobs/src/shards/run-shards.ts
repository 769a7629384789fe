import {
  JOB_LEASE_MS,
  NO_FINDINGS,
  type NewJobEvent,
  type ShardFindings,
  type ShardNews,
  type ShardOrders,
  type ShardStop,
  type ShardWorker,
  type TakenShard,
} from "@assay/registry"
import { type Telemetry, traceWork } from "@assay/telemetry"
import { isAssayError, isFinalJobStatus } from "@assay/schemas"
import { NO_PATIENCE, type Outages } from "@assay/storage"
import { createConditionFinder, type JobLogLine, type JobProgress } from "@assay/results"
import {
  createConcurrencyLimit,
  createRequestPlaces,
  describeLimit,
  type JobEnvironment,
  type JobPlan,
  planJob,
  type Spending,
} from "@assay/evaluation"
import type { OpenOutages } from "../jobs/open-outages.ts"
import { joinFindings } from "./join-findings.ts"
import { countsOf, findingsOf, runShard } from "./run-shard.ts"
import { createShardBeats } from "./shard-beats.ts"
import { createShardLead } from "./shard-lead.ts"
import { spanOfShard } from "./span-of-shard.ts"

/** The environment of a job on this worker. */
export interface ShardSetting {
  readonly environment: JobEnvironment
  close(): Promise<void>
}

export interface RunShardsOptions {
  readonly openSetting: (worker: ShardWorker, outages: Outages) => Promise<ShardSetting>
  /** As for a job. Absent: the first error of storage and the database counts. */
  readonly openOutages?: OpenOutages | undefined
  /** Returns whether this worker takes one more shard of the job. Otherwise it goes on with the next job. */
  readonly continues: () => Promise<boolean>
  /** Makes a span of each shard. Absent: nothing is collected. */
  readonly telemetry?: Telemetry | undefined
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns milliseconds since any moment, for elapsed times. The clock of the machine does not change it. */
  readonly elapsed: () => number
}

/** Shards of one job that this process runs. */
export interface RunningShards {
  /** Renews the lease, and reports. Never throws. */
  beat(): Promise<void>
  /** Gives up the rows in flight, and releases the shards. */
  stop(): void
  readonly ended: Promise<void>
}

interface ShardParts {
  readonly plan: JobPlan
  readonly environment: JobEnvironment
  readonly onAsked: () => void
}

/** The shards that a worker has, and those of them that still ask. */
interface HeldShards {
  readonly asking: Set<Promise<void>>
  readonly all: Set<Promise<void>>
}

/** A second shard begins while the last rows of the first one are in flight. Further ones may be on their way to the storage. */
const [SHARDS_AT_A_TIME, SHARDS_HELD] = [2, 4]

/** Maximum number of log lines of a worker. Failures are counted in conditions. */
const MAX_LINES = 50

/** Takes shards of a job and runs them, until no shard is free or the worker has to stop. */
export function runShards(
  worker: ShardWorker,
  { openSetting, openOutages, continues, now, elapsed, telemetry }: RunShardsOptions,
): RunningShards {
  const { job, attempt } = worker
  const stopping = new AbortController()
  const finder = createConditionFinder({ now })
  const running = new Map<number, JobProgress>()
  let done: ShardFindings = NO_FINDINGS
  let [events, lines]: [NewJobEvent[], number] = [[], 0]
  let stopReason: ShardStop | undefined
  let [share, isLost, hasSucceeded] = [worker.share, false, false]
  let heldSince = elapsed()
  const lead = createShardLead(elapsed)
  let onNews = Promise.withResolvers<void>()
  let spending: Spending | undefined

  const outages = openOutages?.(log, stopping.signal) ?? NO_PATIENCE
  const places = createRequestPlaces(
    createConcurrencyLimit({
      max: () => share,
      now: elapsed,
      onChange: (limit) => log(describeLimit("A worker", limit, share)),
    }),
  )

  function log({ level, message }: JobLogLine): void {
    // Each shard would tell when it begins and ends.
    if (level === "info" || ++lines > MAX_LINES) return
    const more = lines === MAX_LINES ? " (further lines of this worker are left out)" : ""
    events.push({ kind: "log", data: { level, message: message + more } })
  }

  function takeNews(): ShardNews {
    const counts = new Map([...running].map(([shard, progress]) => [shard, countsOf(progress)]))
    const found = joinFindings([done, ...[...running.values()].map(findingsOf)])
    const inFlight = Math.max(share, places.taken())
    const news = { counts, findings: { ...found, conditions: finder.list() }, events, stop: stopReason, inFlight }
    events = []
    return news
  }

  function lose(): undefined {
    isLost = true
    stop()
  }

  function stop(): void {
    stopping.abort()
    wake()
  }

  /** Lets this worker look whether it takes another shard. */
  function wake(): void {
    onNews.resolve()
    onNews = Promise.withResolvers()
  }

  async function sendBeat(): Promise<ShardOrders | undefined> {
    if (isLost) return undefined
    const asked = elapsed()
    // A database that does not respond for the time of a lease may have given the shards to another worker.
    const silence = setTimeout(lose, JOB_LEASE_MS)
    const news = takeNews()
    try {
      const orders = await worker.beat(news)
      if (orders === undefined) return lose()
      heldSince = asked
      share = orders.share
      places.changed()
      if (orders.status === "CANCELLING" || isFinalJobStatus(orders.status)) stop()
      else if (!orders.isOpen && !(await isSpent())) stop()
      return orders
    } catch {
      events = [...news.events, ...events]
      // The next beat tries again. While the lease lasts, no other worker has the shards.
      if (elapsed() - heldSince >= JOB_LEASE_MS) lose()
      return undefined
    } finally {
      clearTimeout(silence)
      wake()
    }
  }

  /** Returns whether the shards are closed because the workspace has nothing left. Then the rows in flight, which are paid for, may end. */
  async function isSpent(): Promise<boolean> {
    if (stopReason !== undefined) return false
    await spending?.refresh()
    return spending?.reached() !== undefined
  }

  function fail(error: unknown): void {
    if (isAssayError(error, "runner_lost")) return lose()
    if (stopping.signal.aborted) return
    if (!isAssayError(error)) throw error
    finder.addError(error)
    stopReason ??= { code: error.code, message: error.message }
    stop()
  }

  /** Calls `onAsked` when the shard asks nothing more. */
  async function runOne(shard: TakenShard, { plan, environment, onAsked }: ShardParts): Promise<void> {
    try {
      const outcome = await runShard(plan, shard, {
        job: { attempt: attempt.number, scope: attempt.scope },
        // The run measures only elapsed times.
        environment: { ...environment, now: elapsed },
        outages,
        places,
        hasSucceeded,
        signal: stopping.signal,
        onProgress(progress) {
          running.set(shard.shard, progress)
          lead.progressed(shard.shard, progress)
          wake()
        },
        onKept: (row) => finder.addRow(row),
        onRow(row) {
          finder.addRow(row)
          hasSucceeded ||= row.error === null
        },
        onLog: log,
        onRetry: (error) => finder.addRetry(error),
        onFailure: (error, row) => finder.addError(error, { row }),
      })
      onAsked()
      const { end, progress, facts } = outcome
      if (end.kind === "finished") await outages.outlast(() => shard.finish(countsOf(progress), facts))
      else if (end.kind === "failed") {
        stopReason ??= { code: end.code, message: end.message }
        stop()
      }
      done = joinFindings([done, findingsOf(progress)])
    } catch (error) {
      fail(error)
    } finally {
      running.delete(shard.shard)
    }
  }

  async function takeShards(plan: JobPlan, environment: JobEnvironment): Promise<void> {
    const held: HeldShards = { asking: new Set(), all: new Set() }
    try {
      await takeInto(held, plan, environment)
    } finally {
      // Also if one of them has thrown: the plan must stay open until all have ended.
      await Promise.allSettled(held.all)
    }
  }

  async function takeInto({ asking, all }: HeldShards, plan: JobPlan, environment: JobEnvironment): Promise<void> {
    let isOver = false
    while (!stopping.signal.aborted && !(isOver && all.size === 0)) {
      const isEarly = asking.size > 0 && !lead.isDue(share)
      if (isOver || isEarly || asking.size >= SHARDS_AT_A_TIME || all.size >= SHARDS_HELD || share === 0) {
        await Promise.race([onNews.promise, ...asking, ...all])
        continue
      }
      // Also if all of these end during the next steps, their workspace may have more shards again.
      const before = [...all]
      const mayTake = spending?.reached() === undefined && (await continues())
      const shard = mayTake ? await outages.outlast(() => worker.take()) : undefined
      if (shard === undefined) {
        // The workspace may have as many shards as it may until one of these is done.
        if (mayTake && before.length > 0) await Promise.race(before)
        isOver = !mayTake || before.length === 0
        continue
      }
      const { promise: asked, resolve } = Promise.withResolvers<void>()
      asking.add(asked)
      lead.began(shard.shard)
      const onAsked = (): void => {
        lead.asked(shard.shard)
        asking.delete(asked)
        resolve()
      }
      const run = () => runOne(shard, { plan, environment, onAsked })
      const one: Promise<void> = traceWork(telemetry, spanOfShard(worker, shard), run)
        .catch((error: unknown) => {
          stop()
          throw error
        })
        .finally(() => {
          onAsked()
          all.delete(one)
        })
      all.add(one)
    }
  }

  async function work(): Promise<void> {
    const setting = await outages.outlast(() => openSetting(worker, outages))
    spending = setting.environment.spending
    try {
      const { id, namespace, target, config } = job
      const runnable = { id, namespace, target, config, attempt: attempt.number, scope: attempt.scope }
      const { signal } = stopping
      const plan = await outages.outlast(() => planJob(runnable, setting.environment, { signal }), { signal })
      try {
        await takeShards(plan, setting.environment)
      } finally {
        await plan.close()
      }
    } finally {
      await setting.close()
    }
  }

  async function workAndLeave(): Promise<void> {
    try {
      await work().catch(fail)
    } finally {
      beats.end()
      if (!isLost) await worker.leave(takeNews())
    }
  }

  const beats = createShardBeats({ send: sendBeat, places })
  return { beat: () => beats.beat(), stop, ended: workAndLeave() }
}

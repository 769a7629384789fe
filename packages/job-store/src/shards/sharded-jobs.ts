import type { Condition, EvaluationJob, JobScope, JobStatus } from "@assay/schemas"
import type { Outages } from "@assay/storage"
import type { NewJobEvent } from "../job-events.ts"
import type { JobGrants } from "../job-grants.ts"
import type { TableJournal } from "../journal/table-journal.ts"

/** A range of rows of one task. */
export interface ShardRange {
  readonly task: string
  readonly firstRow: number
  /** The row after the last one. */
  readonly endRow: number
}

export interface ShardCounts {
  readonly processed: number
  readonly failed: number
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Why a job ends before all its shards are done. */
export interface ShardStop {
  readonly code: string
  readonly message: string
}

/** A shard that was lost by one worker after another. */
export interface LostShard {
  readonly opening: number
  readonly shard: number
  /** Number of records of rows that it had when it was delivered after earlier losses. Default: 0. */
  readonly records?: number | undefined
}

/** A lost shard that is delivered again. */
export interface ShardAgain {
  readonly workspace: string
  /** Number of records of rows that its workers have added. */
  readonly records: number
}

/** The findings of a worker so far in all its shards of a job. */
export interface ShardFindings {
  /** Running means by `task.metric.score`, over `rows` rows. */
  readonly means: Readonly<Record<string, number>>
  readonly rows: number
  readonly conditions: readonly Condition[]
  /** Events that are in no row, as the worker's program writes them. Absent: a worker of an earlier version, which writes none. */
  readonly happened?: unknown
}

/** How far the shards of a job are. */
export interface ShardsState {
  /** Sums over the shards of each task, in the order of the tasks. */
  readonly tasks: readonly (ShardCounts & {
    readonly task: string
    readonly isDone: boolean
    readonly hasBegun: boolean
  })[]
  /** The present workers, and those that have left. */
  readonly findings: readonly ShardFindings[]
  /** Number of workers that take part now. */
  readonly workers: number
  readonly stop: ShardStop | undefined
  /** The status of the job. */
  readonly status: JobStatus
}

export interface ShardLimits {
  /** Requests that all workers together may have in flight. */
  readonly parallelism: number
  readonly maxWorkers: number
}

/** The shards of a job, for the runner that has the lease of the job. After the lease is lost, changes fail with `runner_lost`. */
export interface JobShards {
  /** Returns whether the job is cut into shards. */
  isCut(): Promise<boolean>
  /** Cuts the job into shards. Does nothing if it was cut before. */
  cut(shards: Iterable<ShardRange>, limits: ShardLimits): Promise<void>
  /** Lets workers take the shards that have something to do in this attempt. Returns those that are not done, also if they were open before. */
  open(): Promise<OpenedShards>
  /** Forgets workers that are silent for the time of a lease, and returns the state of all shards. */
  look(): Promise<ShardsState>
  /** Calls `onExit` when a worker leaves the job, if notices of the database arrive here. Looks see it in any case. Returns a function that ends it. */
  onWorkerExit(onExit: () => void): () => Promise<void>
  /** Stops the workers. Returns the shards that are not done. */
  close(): Promise<OpenedShards>
  /** Removes the reports of workers after the last of them has left. */
  forgetWorkers(): Promise<void>
}

/** The report of a worker. */
export interface ShardNews {
  /** By the number of the shard. */
  readonly counts: ReadonlyMap<number, ShardCounts>
  readonly findings: ShardFindings
  readonly events: readonly NewJobEvent[]
  readonly stop?: ShardStop | undefined
  /** Requests that the worker can have in flight until the response: its share, or more if it was lowered and they have not ended. */
  readonly inFlight: number
}

/** The facts that a worker needs. */
export interface ShardOrders {
  readonly status: JobStatus
  /** False: the worker has to stop. */
  readonly isOpen: boolean
  /** Requests that it may have in flight now. It can be 0 until another worker has lowered its share. */
  readonly share: number
  /** False: other workers have a part of its fair share. */
  readonly isFair: boolean
}

/** The shards of one opening that are not done. */
export interface OpenedShards {
  /** Counts from 1 over all attempts. */
  readonly opening: number
  readonly shards: readonly number[]
  /** Open jobs of the workspace that are as urgent or more, with this one. */
  readonly peers: number
}

/** A process that asks rows of a job. It holds a share of the parallelism, which its beats renew. */
export interface ShardWorker {
  readonly job: EvaluationJob
  readonly attempt: { readonly number: number; readonly scope: JobScope; readonly grants: JobGrants }
  /** Requests that all workers together may have in flight. */
  readonly parallelism: number
  /** Those of them that this worker may have at first. */
  readonly share: number
  /** Renews the lease on the share, and reports. Undefined if the lease is lost. */
  beat(news: ShardNews): Promise<ShardOrders | undefined>
  /** Takes a shard, also from another worker, whose rows are refused from now on. Undefined if it is done, or the shards are closed. @throws `runner_lost` after the lease was lost */
  take(shard: number): Promise<TakenShard | undefined>
  /** Gives up the share. */
  leave(news: ShardNews): Promise<void>
}

export interface TakenShard extends ShardRange {
  /** From 0, over all tasks. */
  readonly shard: number
  /** Opens the journal of the shard. It begins with the rows of earlier attempts. Writes fail with `runner_lost` when another worker has taken the shard. Reading outlasts outages if `outages` is given. */
  openJournal(outages?: Outages): Promise<TableJournal>
  /**
   * Moves the new rows of the journal to a file, and marks the shard as done. The journal must be closed. `facts` is a text about the
   * rows that this worker has appended, which the batches of the journal give back. It is not kept if the file also has rows of others. `arrange`
   * puts the lines of a text in order; it is not called if they have more than 16 Mi characters.
   * @throws `runner_lost`
   */
  finish(counts: ShardCounts, options?: FinishOptions): Promise<void>
}

export interface FinishOptions {
  readonly facts?: string | undefined
  readonly arrange?: ((lines: string) => Promise<string>) | undefined
}

export const NO_FINDINGS: ShardFindings = { means: {}, rows: 0, conditions: [] }

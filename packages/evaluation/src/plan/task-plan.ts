import type { GateReferences, PlannedGate } from "../gates/plan-gates.ts"
import type { RowOrder } from "../gates/open-row-order.ts"
import type { Ask } from "./ask.ts"
import type { DatasetPin, JobBudget } from "@assay/schemas"
import type { BoundMetric, RowSource } from "@assay/scoring"

/** A task that is ready to run. */
export interface TaskPlan {
  readonly name: string
  readonly rows: RowSource
  readonly ask: Ask
  readonly metrics: readonly BoundMetric[]
  readonly repeats: number
  /** Maximum number of calls of models and judges at the same time. */
  readonly parallelism: number
  /** The share of rows that may fail. */
  readonly maxFailedShare: number
  /** Rows of one shard, if several workers run the job. */
  readonly shardRows: number
  /** The field of a row with the name of its group. Rows of a group count as one in standard errors and intervals. */
  readonly clusterBy?: string | undefined
  /** Fields of a row, or paths in it, by whose values its scores are split. Absent: none. */
  readonly slices?: readonly string[] | undefined
  /** The name of its results under `groups`. Absent: they are under `tasks`. */
  readonly group?: string | undefined
  /** Absent: all rows are asked. */
  readonly early?: EarlyEnd | undefined
  /** Returns whether the gates of the task are decided by rows that several processes ask. Then no further row begins. Absent: this process asks all of them. */
  readonly isDecided?: (() => boolean) | undefined
}

/** The gates that end a task when all of them are decided. */
export interface EarlyEnd {
  readonly gates: readonly PlannedGate[]
  /** Returns the order in which the rows of the task are read. They are counted once. @throws the errors of `openRowOrder` */
  readonly getOrder: (signal: AbortSignal) => Promise<RowOrder>
  /** Returns the results with which gates compare rows. @throws the errors of `otherResults.readReferences` */
  readonly getReferences: (signal: AbortSignal) => Promise<GateReferences>
}

/** All tasks of a job. */
export interface JobPlan {
  readonly tasks: readonly TaskPlan[]
  /** Absent: the job may use what it needs. */
  readonly budget?: JobBudget | undefined
  /** The gates of all tasks. */
  readonly gates: readonly PlannedGate[]
  /** The pins of the datasets that are open. */
  readonly pins: readonly DatasetPin[]
  close(): Promise<void>
}

import type { Interval } from "@assay/metrics"
import type { DatasetPin, EvaluationSample, ScoreValue } from "@assay/schemas"
import type { JobBudget } from "@assay/schemas/budget"
import type { PlannedGate } from "../gates/plan-gates.ts"
import type { GateBasis } from "../gates/gate-watch.ts"

/** A row of a task's dataset. */
export interface SourceRow {
  /** From 0, counted over all files of the dataset. */
  readonly index: number
  readonly item: Readonly<Record<string, unknown>>
  /** Why the row can't be used, as a sentence. */
  readonly fault?: string | undefined
}

/** The rows of a task. */
export interface RowSource {
  /** Reads the rows in order, in batches. */
  readonly open: (signal: AbortSignal) => AsyncIterable<readonly SourceRow[]>
  /** Counts the rows in a separate pass. */
  readonly count: (signal: AbortSignal) => Promise<number>
  /** Reads a part of the rows in order, with their own numbers. Absent: a row depends on the rows before it. */
  readonly openRange?: ((range: RowNumbers, signal: AbortSignal) => AsyncIterable<readonly SourceRow[]>) | undefined
}

/** A range of rows by their numbers. */
export interface RowNumbers {
  readonly start: number
  /** The number after the last row. */
  readonly end: number
}

/** Called before a call is repeated. */
export type OnRetry = (retry: { readonly error: unknown; readonly waitMs: number }) => void

export interface AskOptions {
  readonly repeat: number
  readonly signal: AbortSignal
  readonly onRetry: OnRetry
}

export interface ScoreOptions {
  readonly signal: AbortSignal
  /** For metrics that call a model or a service. */
  readonly onRetry: OnRetry
}

/** Returns the sample of a row: from a model, or from the row itself. */
export type Ask =
  | {
      readonly kind: "call"
      readonly call: (item: SourceRow["item"], options: AskOptions) => Promise<EvaluationSample>
    }
  | { readonly kind: "given"; readonly take: (item: SourceRow["item"]) => EvaluationSample }

export interface ScoreInput {
  readonly item: SourceRow["item"]
  readonly sample: EvaluationSample
}

/** The scores of a metric for one row. */
export interface MetricOutcome {
  /** Without scores that do not apply to this row, such as the share of missed attacks for a harmless prompt. */
  readonly scores: Readonly<Record<string, ScoreValue>>
  /** Why scores are NaN, with the answer of the judge. */
  readonly unreadable?: { readonly reason: string; readonly raw: string }
  /** For a rubric: the label of each score. */
  readonly labels?: Readonly<Record<string, string>>
}

/** A score over all rows that is not the mean of the rows' scores. */
export interface CorpusScore {
  /** Adds a row with the scores that the metric gave it. `unit` is the number of its row or group, if rows repeat or have groups. */
  add(input: ScoreInput, scores: MetricOutcome["scores"], unit?: number): void
  value(): ScoreValue
  /** Returns the interval of the value; null if there are too few rows. Absent: the score has no interval. */
  interval?(): Interval | null
}

export interface BoundMetric {
  /** The key of the metric in the task. */
  readonly key: string
  readonly type: string
  readonly scores: readonly string[]
  /** For rubrics: the labels that a score can have. */
  readonly labels?: Readonly<Record<string, readonly string[]>>
  /** The lowest and the highest possible value of each score that has them. */
  readonly ranges?: Readonly<Record<string, readonly [low: number, high: number]>>
  /** Whether its scores are amounts, such as tokens. Amounts are not a rate, even if all of them are 0 or 1. */
  readonly isAmount?: boolean
  /** Whether it calls a model or a service. Then `score` may take long and throw coded errors. */
  readonly isRemote: boolean
  readonly score: (input: ScoreInput, options: ScoreOptions) => MetricOutcome | Promise<MetricOutcome>
  /** Creates new corpus scores for a pass over the rows, by the name of the score. */
  readonly createCorpusScores?: () => Readonly<Record<string, CorpusScore>>
}

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
  /** Fields of a row, or paths in it, whose values its scores are told apart by. Absent: none. */
  readonly slices?: readonly string[] | undefined
  /** The name of its results under `groups`. Absent: they are under `tasks`. */
  readonly group?: string | undefined
  /** Absent: all rows are asked. */
  readonly early?: EarlyEnd | undefined
}

/** The gates that end a task when all of them are decided. */
export interface EarlyEnd {
  readonly gates: readonly PlannedGate[]
  /**
   * Returns the order in which the rows of the task are read, and the results with which gates compare them. Rows are counted once.
   * @throws the errors of `openRowOrder` and `readReferences`
   */
  readonly getBasis: (signal: AbortSignal) => Promise<GateBasis>
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

import type { DatasetPin, EvaluationSample, ScoreValue } from "@assay/schemas"

/** A row of a task's dataset. */
export interface SourceRow {
  /** From 0, over all files of the dataset. */
  readonly index: number
  readonly item: Readonly<Record<string, unknown>>
  /** Why the row can't be used, as a sentence. */
  readonly fault?: string
}

/** Where the rows of a task come from. */
export interface RowSource {
  /** The rows in order, in batches. */
  readonly open: (signal: AbortSignal) => AsyncIterable<readonly SourceRow[]>
  /** How many there are, counted in a pass of its own. */
  readonly count: (signal: AbortSignal) => Promise<number>
}

/** Told before each try is repeated: the endpoint wants less. */
export type OnRetry = (retry: { readonly error: unknown; readonly waitMs: number }) => void

export interface AskOptions {
  readonly repeat: number
  readonly signal: AbortSignal
  readonly onRetry: OnRetry
}

export interface ScoreOptions {
  readonly signal: AbortSignal
  /** For metrics that ask others. */
  readonly onRetry: OnRetry
}

/** Gets the sample of a row: from a model, or out of the row itself. */
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

/** What a metric says of a row. */
export interface MetricOutcome {
  /** One that says nothing about this row, such as the share of missed attacks about a harmless prompt, is left out. */
  readonly scores: Readonly<Record<string, ScoreValue>>
  /** Why scores are NaN: the judge's answer. */
  readonly unreadable?: { readonly reason: string; readonly raw: string }
  /** Of a rubric: the label of each score. */
  readonly labels?: Readonly<Record<string, string>>
}

/** A score over all rows that is not the mean of theirs. */
export interface CorpusScore {
  add(input: ScoreInput): void
  value(): ScoreValue
}

export interface BoundMetric {
  /** Its key in the task. */
  readonly key: string
  readonly type: string
  readonly scores: readonly string[]
  /** Of rubrics: the labels that a score can have. */
  readonly labels?: Readonly<Record<string, readonly string[]>>
  /** Whether its scores are amounts, such as tokens, and no rate even where all of them are 0 or 1. */
  readonly isAmount?: boolean
  /** Whether it asks others: then `score` may take long and throw coded errors. */
  readonly isRemote: boolean
  readonly score: (input: ScoreInput, options: ScoreOptions) => MetricOutcome | Promise<MetricOutcome>
  /** By score name; made anew for each run over the rows. */
  readonly createCorpusScores?: () => Readonly<Record<string, CorpusScore>>
}

/** A task, ready to be run. */
export interface TaskPlan {
  readonly name: string
  readonly rows: RowSource
  readonly ask: Ask
  readonly metrics: readonly BoundMetric[]
  readonly repeats: number
  /** Rows and judges in flight at the most. */
  readonly parallelism: number
  /** Share of rows that may fail. */
  readonly maxFailedShare: number
  /** The field of a row that names its group: rows of a group count as one in how sure a mean is. */
  readonly clusterBy?: string | undefined
  /** Where its results stand: under `tasks`, or under `groups` with this name. */
  readonly group?: string | undefined
}

/** All tasks of a job and what has to be closed after them. */
export interface JobPlan {
  readonly tasks: readonly TaskPlan[]
  /** What was opened of each dataset. */
  readonly pins: readonly DatasetPin[]
  close(): Promise<void>
}

import type { ScoreValue } from "@assay/schemas"
import type { Stats } from "@assay/metrics"
import type { JobProgress } from "../jobs/job-progress.ts"

/** How many row × repeat units of a score came to what. */
export interface ScoreCounts {
  readonly scored: number
  /** The judge's answer could not be read: NaN. */
  readonly unreadable: number
  /** The row, or scoring it, failed. */
  readonly errored: number
  /** Never got to: the job ended before. */
  readonly skipped: number
}

/** A score over the rows of a task. */
export interface ScoreSummary {
  /** Of a score over all rows there are none. */
  readonly stats: Stats | null
  readonly value: ScoreValue
  readonly counts: ScoreCounts
  /** Of a rubric: how often each label came. */
  readonly labels?: Readonly<Record<string, number>>
  /** Where rows repeat and scores are 0 or 1. */
  readonly repeats?: {
    readonly repeats: number
    readonly pass_at_k: number
    readonly pass_pow_k: number
    readonly majority: number
    readonly flip_rate: number
  }
}

export interface TaskSummary {
  readonly task: string
  /** Where its results stand: under `tasks`, or under `groups` with this name. */
  readonly group?: string
  /** By metric and score. */
  readonly metrics: Readonly<Record<string, Readonly<Record<string, ScoreSummary>>>>
}

/** What running a plan came to. */
export interface PlanOutcome {
  readonly tasks: readonly TaskSummary[]
  readonly progress: JobProgress
  readonly end:
    | { readonly kind: "finished" }
    /** Rows failed, or one failure that every row would meet. */
    | { readonly kind: "failed"; readonly code: string; readonly message: string }
    | { readonly kind: "aborted" }
}

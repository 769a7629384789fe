import type { BudgetLimit, JudgeReport, ScoreCorrection, ScoreSlices, ScoreValue } from "@assay/schemas"
import type { Interval, Stats } from "@assay/metrics"
import type { JobProgress } from "./job-progress.ts"

/** How many units of a score (one repeat of one row) ended in which way. */
export interface ScoreCounts {
  readonly scored: number
  /** Units whose judge answer could not be read: their value is NaN. */
  readonly unreadable: number
  /** Units whose row failed, or whose scoring failed. */
  readonly errored: number
  /** Units that were not reached because the job ended early. */
  readonly skipped: number
  /** Units whose conversation a limit ended before a turn of the check. Absent: none. */
  readonly not_reached?: number
  /** Those of them that have a score of earlier turns, and count as `scored` too. Absent: none. */
  readonly partly_reached?: number
}

/** A score by the values of one column, before the worst slice is named. */
export type TalliedSlices = Omit<ScoreSlices, "worst">

/** A score over the rows of a task. */
export interface ScoreSummary {
  /** Null for a corpus score, which is computed over all rows at once. */
  readonly stats: Stats | null
  readonly value: ScoreValue
  /** Of a corpus score. Null: there are too few rows. Absent: it has none. */
  readonly interval?: Interval | null
  readonly counts: ScoreCounts
  /** For a rubric: how often each label was given. */
  readonly labels?: Readonly<Record<string, number>>
  /** By each column of `params.slices`. */
  readonly slices?: readonly TalliedSlices[]
  /** By the labels of people that the metric names. */
  readonly corrected?: ScoreCorrection | undefined
  /** The known facts about the judge that gives the score. */
  readonly judge?: JudgeReport | undefined
  /** For repeated rows with scores of 0 or 1. It covers only rows whose repeats all have a score. */
  readonly repeats?: {
    readonly repeats: number
    readonly rows: number
    /** Share of rows with at least one 1. */
    readonly pass_at_k: number
    /** Share of rows with 1 in every repeat. */
    readonly pass_pow_k: number
    /** Share of rows with more 1s than 0s. */
    readonly majority: number
    /** Share of rows whose repeats differ. */
    readonly flip_rate: number
    /** pass@1, pass@2, … up to the number of repeats: the probability that one of so many answers is 1, estimated without bias. */
    readonly pass_at: readonly number[]
  }
}

export interface TaskSummary {
  readonly task: string
  /** Present: the results are under `groups` with this name. Absent: they are under `tasks`. */
  readonly group?: string | undefined
  /** By metric and score. */
  readonly metrics: Readonly<Record<string, Readonly<Record<string, ScoreSummary>>>>
}

/** How the run of a plan ended. */
export type PlanEnd =
  | { readonly kind: "finished" }
  /** Too many rows failed, or one failure would meet every row. `code` and `message` are those of the failure. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "aborted" }
  /** A limit of the budget is reached. Rows that were asked count. `workspace` is present if the budget is that of the workspace. */
  | { readonly kind: "budget"; readonly limit: BudgetLimit; readonly workspace?: string | undefined }

/** The outcome of running a plan. */
export interface PlanOutcome {
  readonly tasks: readonly TaskSummary[]
  readonly progress: JobProgress
  readonly end: PlanEnd
}

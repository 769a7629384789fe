import { isAssayError, type ScoreValue } from "@assay/schemas"
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
  /** Where rows repeat and scores are 0 or 1: over the rows of which every repeat has a score. */
  readonly repeats?: {
    readonly repeats: number
    readonly rows: number
    /** Share of rows with at least one 1. */
    readonly pass_at_k: number
    /** Share of rows with nothing but 1. */
    readonly pass_pow_k: number
    /** Share of rows with more 1 than 0. */
    readonly majority: number
    /** Share of rows whose repeats differ. */
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

/** How running a plan ended. */
export type PlanEnd =
  | { readonly kind: "finished" }
  /** Rows failed, or one failure that every row would meet: `code` is that of the failure, `message` says which it was. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "aborted" }

/** What running a plan came to. */
export interface PlanOutcome {
  readonly tasks: readonly TaskSummary[]
  readonly progress: JobProgress
  readonly end: PlanEnd
}

/** How a run ends that something was thrown at. */
export function endOfError(error: unknown): PlanEnd {
  if (isAssayError(error)) return { kind: "failed", code: error.code, message: error.message }
  return { kind: "failed", code: "internal", message: `The run broke: ${String(error)}; report it.` }
}

/** How a run ends of which a metric has no score for any row; undefined where each has one. */
export function nothingScored({ tasks }: Pick<PlanOutcome, "tasks">): PlanEnd | undefined {
  const faults = tasks.flatMap(({ task, metrics }) =>
    Object.entries(metrics).flatMap(([metric, scores]) => {
      const counts = Object.values(scores).map((summary) => summary.counts)
      const rows = Math.max(0, ...counts.map(rowsOf))
      const isScored = rows === 0 || counts.some(({ scored }) => scored > 0)
      return isScored ? [] : [`Metric '${metric}' of task '${task}' scored none of ${rows.toLocaleString("en")} rows.`]
    }),
  )
  return faults.length === 0 ? undefined : { kind: "failed", code: "nothing_scored", message: faults.join(" ") }
}

function rowsOf({ scored, unreadable, errored, skipped }: ScoreSummary["counts"]): number {
  return scored + unreadable + errored + skipped
}

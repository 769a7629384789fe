import type { Comparison, JobStatusDetails } from "@assay/schemas"
import type { ShownCondition } from "../terminal/evaluations/format-conditions.ts"
import type { WorstRow } from "../terminal/evaluations/format-worst-rows.ts"
import type { ShownGate, ShownScore } from "../terminal/evaluations/format-scores.ts"

/** A row of a summary, with its scores. */
export type SummaryRow = WorstRow

/** A link of a summary: to an address, or to a file, whose path is shown. */
export type SummaryLink =
  | { readonly label: string; readonly url: string }
  | { readonly label: string; readonly path: string }

/** A job that has ended. */
export interface SummaryJob {
  /** Such as `COMPLETED`. */
  readonly status: string
  /** One sentence that says how the job ended. */
  readonly message: string
  readonly conditions: readonly ShownCondition[]
  /** Absent: nothing counted the rows. */
  readonly rows?: number | undefined
  readonly failed?: number | undefined
  readonly milliseconds?: number | undefined
  /** Absent: no model was asked, or nothing counted its tokens. */
  readonly tokens?: JobStatusDetails["tokens"]
  /** Null if it is not known, absent without prices. */
  readonly cost?: JobStatusDetails["cost"]
  /** Whether the target is a model, whose tokens and cost are then listed, also if they are unknown. */
  readonly asksModel?: boolean
  /** Commands to run next. Shown unless the job has completed. */
  readonly next?: readonly string[]
}

/** The content of a summary in Markdown: a job, a comparison of jobs, or both. */
export interface Summary {
  readonly name: string
  /** The verdict of the command, which its exit code repeats. */
  readonly verdict: "PASS" | "FAIL" | "INCONCLUSIVE"
  /** Why there is no job, one message for each fault, and what to do. */
  readonly failure?: { readonly messages: readonly string[]; readonly remedy: string }
  readonly job?: SummaryJob
  readonly gates?: readonly ShownGate[]
  readonly scores?: readonly ShownScore[]
  /** The changes against the baseline. */
  readonly comparison?: Comparison | null | undefined
  /** Rows that failed, and rows with the lowest scores, the worst first. */
  readonly worst?: readonly SummaryRow[]
  /** Sentences about what the scores leave open. */
  readonly notes?: readonly string[]
  readonly links?: readonly SummaryLink[]
}

import type { ChangedIdentity } from "./identity.ts"
import type { ScoreValue } from "../evaluation-result.ts"

export const RELEASE_TIERS = ["critical", "supporting", "advisory"] as const
export type ReleaseTier = (typeof RELEASE_TIERS)[number]
export type ReleaseVerdict = "PASS" | "FAIL" | "INCONCLUSIVE"

/** Rows that the older version answers now one way and now the other. */
export interface QuarantinedRows {
  /** Their numbers, the first 50. */
  readonly rows: readonly number[]
  readonly total: number
  /** How many of them the new version answers worse, which does not count as a regression. */
  readonly excused: number
  /** Whether they are so many that none is excused. */
  readonly too_many: boolean
}

/** A gate of an evaluation, and what decides it. */
export interface ReleaseGateState {
  /** `task.metric.score`, and whether it is `corrected by people`. */
  readonly name: string
  /** `>= 0.8`, or `at most 0.02 worse than ./baseline` */
  readonly limit: string
  readonly value: ScoreValue
  /** The value of the older results. Absent: the gate is a limit. */
  readonly baseline?: number
  /** The interval of the value, or of the difference from the older results; null if there is none. */
  readonly low: number | null
  readonly high: number | null
  /** Null: the score measures something else in the older results. */
  readonly verdict: ReleaseVerdict | null
  /** Why there is no PASS or FAIL, if not because of the interval. */
  readonly reason?: string
  /** Rows that were compared; null for a score over all rows. */
  readonly rows: number | null
  /** About how many rows would decide the gate, if they are like these; null if it is decided, or if no number of rows would. */
  readonly rows_needed: number | null
  /** Rows that got worse, without those in quarantine, and rows that got better. */
  readonly worsened?: number
  readonly improved?: number
  readonly quarantine?: QuarantinedRows
  readonly identity?: ChangedIdentity
}

/** An evaluation of a policy. */
export interface ReleaseEvaluationState {
  readonly name: string
  readonly tier: ReleaseTier
  /** MISSING: there are no results, or none to compare with. */
  readonly state: ReleaseVerdict | "MISSING"
  /** Why results are missing. */
  readonly reason?: string
  readonly gates: readonly ReleaseGateState[]
  readonly warnings: readonly string[]
}

/** The requests of `assay release run`. */
export interface ReleaseAsked {
  /** Rows that were asked, each repeat one, over all evaluations that have a file to run. */
  readonly rows: number
  /** All of their rows. */
  readonly rows_total: number
  /** The evaluations that were not asked, because the verdict was certain. Their rows are not counted. */
  readonly not_asked: readonly string[]
}

/** The outcome of a release policy. */
export interface ReleaseReport {
  readonly verdict: ReleaseVerdict
  readonly alpha: number
  /** One line that says what decides. */
  readonly message: string
  readonly evaluations: readonly ReleaseEvaluationState[]
  /** Absent: nothing was run. */
  readonly asked?: ReleaseAsked
}

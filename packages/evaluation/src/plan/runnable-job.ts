import type { EvaluationConfigBody, EvaluationTargetBody, JobScope } from "@assay/schemas"

export type { JobScope } from "@assay/schemas"

/** The part of a job that a run needs. */
export interface RunnableJob {
  readonly id: string
  readonly namespace: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
  /** The number of the attempt, from 1. Each retry and each scoring adds one. An attempt that another runner continues keeps its number. */
  readonly attempt: number
  readonly scope: JobScope
}

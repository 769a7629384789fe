import type { EvaluationConfigBody, EvaluationTargetBody, JobScope } from "@assay/schemas"

export type { JobScope } from "@assay/schemas"

/** A job as a runner takes it up. */
export interface RunnableJob {
  readonly id: string
  readonly namespace: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
  /** Rounds, from 1: one more with each retry and each scoring; the same where a round is taken up again. */
  readonly attempt: number
  readonly scope: JobScope
}

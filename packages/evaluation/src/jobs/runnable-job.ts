import type { EvaluationConfigBody, EvaluationTargetBody, MetricConfig } from "@assay/schemas"

/** What a round of a job does: everything that has no answer yet, the rows that failed, or new scores alone. */
export type JobScope =
  | { readonly kind: "run" }
  | { readonly kind: "retry-failed" }
  /** Metrics that are added to finished rows, by task. */
  | { readonly kind: "score"; readonly metrics: Readonly<Record<string, Readonly<Record<string, MetricConfig>>>> }

/** A job as a runner takes it up. */
export interface RunnableJob {
  readonly id: string
  readonly namespace: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
  /** Rounds, from 1. */
  readonly attempt: number
  readonly scope: JobScope
}

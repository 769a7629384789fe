import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"

/** What is to be launched, whole. */
export interface LaunchSubject {
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
  /** The workspace of the job. */
  readonly namespace: string
}

import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"

/** The argument of the process that runs an evaluation. */
export interface RunSpec {
  /** The folder with the rows, the journal and everything else that the run needs. */
  readonly folder: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
}

/** The output of the process about the run. */
export interface RunReport {
  readonly rows: number
  readonly seconds: number
  /** Highest resident memory of the process, in bytes. */
  readonly peakBytes: number
}

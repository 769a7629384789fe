import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"

/** What a process of its own is told to run. */
export interface RunSpec {
  /** Where the rows, the journal and whatever else the run needs are. */
  readonly folder: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
}

/** What it says of the run. */
export interface RunReport {
  readonly rows: number
  readonly seconds: number
  /** Highest resident memory of the process, in bytes. */
  readonly peakBytes: number
}

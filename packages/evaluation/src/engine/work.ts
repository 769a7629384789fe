import type { EvaluationRow } from "@assay/schemas"
import type { BoundMetric, SourceRow } from "../plan/task-plan.ts"

/** One repeat of one row, to be asked and scored. */
export interface Work {
  readonly row: SourceRow
  readonly repeat: number
  readonly attempt: number
  /** The metrics that are scored. */
  readonly due: readonly BoundMetric[]
  /** Whether it failed in a round before. */
  readonly hadError: boolean
  /** The line with the sample that is scored again; absent: it is asked. */
  readonly line?: EvaluationRow
}

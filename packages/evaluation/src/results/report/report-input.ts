import type { EvaluationRow } from "@assay/schemas"
import type { GateOutcome } from "../check-gates.ts"
import type { ResultsInput } from "../results-input.ts"

/** What a report shows. Keys are masked already. */
export interface ReportInput extends Pick<
  ResultsInput,
  "job" | "status" | "message" | "result" | "conditions" | "pins" | "environment" | "progress"
> {
  readonly gates: readonly GateOutcome[]
  /** Rows that failed, and rows with the lowest scores. */
  readonly failed: readonly EvaluationRow[]
  readonly lowest: readonly EvaluationRow[]
}

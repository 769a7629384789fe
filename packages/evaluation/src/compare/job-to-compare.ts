import type { DatasetPin, EvaluationConfigBody, EvaluationResult, EvaluationRow } from "@assay/schemas"

/** A job with what comparing takes of it. */
export interface JobToCompare {
  readonly id: string
  /** What people call it. */
  readonly name: string
  readonly result: EvaluationResult
  /** What was measured: tells which scores are expenses. */
  readonly config?: Pick<EvaluationConfigBody, "params" | "tasks" | "type">
  readonly pins?: readonly DatasetPin[]
  /** Every row in the order of writing, from the start each time it is called. */
  readonly rows: (signal?: AbortSignal) => AsyncIterable<readonly EvaluationRow[]>
}

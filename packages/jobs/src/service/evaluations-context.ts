import type { EvaluationRows } from "./evaluation-rows.ts"
import type { EvaluationService } from "./evaluation-service.ts"
import type { JobHost } from "../launch/job-host.ts"

/** What the operations of evaluations stand on. */
export interface EvaluationsContext extends JobHost {
  /** The folder for checks and live evaluations. */
  readonly workFolder: string
  readonly jobs: EvaluationService
  readonly rows: EvaluationRows
}

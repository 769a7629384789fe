import type { EvaluationRows } from "./evaluation-rows.ts"
import type { EvaluationService } from "./evaluation-service.ts"
import type { JobHost } from "../launch/job-host.ts"

/** The services that the operations of evaluations use. */
export interface EvaluationsContext extends JobHost {
  /** The folder for checks and live evaluations. */
  readonly workFolder: string
  readonly jobs: EvaluationService
  readonly rows: EvaluationRows
}

import type { EvaluationDataset } from "@assay/schemas"
import type { JobEnvironment, OpenedDataset } from "../job-environment.ts"
import type { ModelPool } from "./model-pool.ts"

/** What a plan is opened with. */
export interface PlanContext {
  readonly environment: JobEnvironment
  /** The clients of all endpoints of the job. */
  readonly models: ModelPool
  /** Opens a dataset once, however many tasks read it, and keeps its pin. @throws `dataset_format` without a `files_url`; as the world's */
  readonly openDataset: (dataset: EvaluationDataset | string) => Promise<OpenedDataset>
  /** Closed with the plan, last first. */
  readonly onClose: (close: () => Promise<void>) => void
  readonly signal: AbortSignal
}

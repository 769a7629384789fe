import type { EvaluationConfigBody, EvaluationJob, EvaluationTargetBody, WorkspaceBudget } from "@assay/schemas"
import type { JobEnvironment } from "@assay/evaluation"

/** The target and the configuration of a launch, both complete. */
export interface LaunchSubject {
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
  /** The workspace of the job, as records call it. */
  readonly namespace: string
}

/** The ports of the checks of a launch, besides those of the job. */
export interface LaunchPorts extends JobEnvironment {
  /** Fails if users may not name this address. Absent: any address is allowed. @throws `host_not_allowed` */
  readonly checkEndpoint?: ((url: string) => void) | undefined
  /** Returns the newest completed jobs of the workspace, for estimates. Absent: none are known. */
  readonly findEarlierJobs?: (() => Promise<readonly EvaluationJob[]>) | undefined
  /** Returns the budget of the workspace. Absent: it has none. */
  readonly getBudget?: (() => Promise<WorkspaceBudget>) | undefined
  /** Writes a file to the location of the results, and removes it. Absent: the location is not checked. @throws the error of the storage */
  readonly probeResults?: ((signal: AbortSignal) => Promise<void>) | undefined
}

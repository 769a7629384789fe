import type { JobPlan, RunPlanOptions } from "@assay/evaluation"
import type { PlanOutcome } from "@assay/results"
import type { ConditionFindings } from "@assay/executors"

export interface ExecutorRunOptions extends RunPlanOptions {
  /** Called when the engine has the shards, and this process only waits. */
  readonly onWaiting?: (() => void) | undefined
  /** Called when shards have answered rows since the last call. */
  readonly onNewRows?: (() => void) | undefined
  /** Receives what happened to rows and is in none of them. */
  readonly onFindings: (findings: readonly ConditionFindings[]) => void
}

/** Runs the rows of a plan on the executor that its job names. */
export type RunOnExecutor = (plan: JobPlan, options: ExecutorRunOptions) => Promise<PlanOutcome>

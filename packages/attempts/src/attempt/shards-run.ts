import type { JobPlan, RunPlanOptions } from "@assay/evaluation"
import type { ConditionFindings } from "@assay/executors"
import type { PlanOutcome } from "@assay/results"
import type { Condition } from "@assay/schemas"

export interface ShardsRunOptions extends Omit<RunPlanOptions, "slots" | "hasSucceeded"> {
  /** Called with the conditions that workers have found so far, and with what each of them noted that is in no row. */
  readonly onConditions: (conditions: readonly Condition[], happened: readonly ConditionFindings[]) => void
  /** Called when workers run the job, and this process only waits. */
  readonly onWaiting?: (() => void) | undefined
}

/** Lets workers run the rows of a plan in shards. Returns undefined if one worker has to run it. */
export type RunInShards = (plan: JobPlan, options: ShardsRunOptions) => Promise<PlanOutcome | undefined>

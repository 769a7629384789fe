import type { RequestMeter } from "@assay/inference"
import type { BudgetLimits } from "@assay/schemas"

/** The budget of a workspace for this month, as one job on this worker sees it. */
export interface WorkspaceSpending {
  readonly workspace: string
  /** Returns the limit that is reached by what all workers have recorded and this one has used since. */
  reached(): keyof BudgetLimits | undefined
  /** Returns a limit that can't be counted, because an endpoint does not say how many tokens its answers to this job take. */
  uncountable(): keyof BudgetLimits | undefined
  /** Returns what a row waits for before it may be asked: the sums of all workers. Undefined if they are known well enough. */
  admit(): Promise<void> | undefined
  /** Records what was used here, and reads the sums of all workers. A database that does not respond is asked again later. */
  refresh(): Promise<void>
}

/** A spending that has to be closed. */
export interface OpenedWorkspaceSpending extends WorkspaceSpending {
  readonly meter: RequestMeter
  /** Records the rest. */
  close(): Promise<void>
}

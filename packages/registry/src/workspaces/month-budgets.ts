import type { BudgetLimits, Spending, WorkspaceBudget } from "@assay/schemas"
import type { VisibleWorkspaces } from "@assay/database"

/** The use by jobs since they recorded it last. */
export interface Spent {
  readonly requests: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  /** Those whose model has no price. */
  readonly unpriced_tokens: number
  readonly cost: number
  /** Of `cost`. Empty if it is 0 because nothing has a price. */
  readonly currency: string
}

/** The limits of a workspace, and what its jobs have used in the current month. */
export interface BudgetState {
  readonly month: string
  readonly limits: BudgetLimits
  readonly spent: Spent
}

/** Budgets of workspaces for each calendar month, UTC. */
export interface WorkspaceBudgets {
  /** @throws `not_found` if there is no such workspace */
  get(workspace: string): Promise<WorkspaceBudget>
  /** Replaces all limits. They also hold for jobs that run. @throws `not_found` if there is no such workspace */
  set(workspace: string, limits: BudgetLimits): Promise<WorkspaceBudget>
  /** Removes the limits. The usage is kept. @throws `not_found` if there is no such workspace */
  remove(workspace: string): Promise<WorkspaceBudget>
  /** Returns the use in the current month and in those before it, of the workspaces that the caller sees. */
  list(months: number, visible: VisibleWorkspaces): Promise<Spending>
  /** Adds to the usage of the current month, and returns the sums over all workers. A missing workspace has no limits and no usage. */
  spend(workspace: string, spent: Spent): Promise<BudgetState>
}

import type { BudgetLimits, Spending, WorkspaceBudget } from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions } from "../client-options.ts"
import { route } from "../exchange/route.ts"

/** Budgets of workspaces for each calendar month, UTC. */
export interface Budgets {
  get(workspace: string, options?: CallOptions): Promise<WorkspaceBudget>
  /** Returns the use of the current month and those before it, of all workspaces that the caller sees. Default: 12 months. */
  spending(query?: { readonly months?: number }, options?: CallOptions): Promise<Spending>
  /** Replaces all limits. */
  set(workspace: string, limits: BudgetLimits, options?: CallOptions): Promise<WorkspaceBudget>
  /** Removes the limits. The usage is kept. */
  remove(workspace: string, options?: CallOptions): Promise<WorkspaceBudget>
}

export function createBudgets(call: CallJson): Budgets {
  const path = (workspace: string) => `/apis/entities/v2/workspaces${route(workspace, "budget")}`
  return {
    get: async (workspace, { signal } = {}) => call({ method: "GET", path: path(workspace), signal }),
    spending: async (query = {}, { signal } = {}) =>
      call({ method: "GET", path: "/apis/entities/v2/spending", query: { ...query }, signal }),
    set: async (workspace, json, { signal } = {}) => call({ method: "PUT", path: path(workspace), json, signal }),
    remove: async (workspace, { signal } = {}) => call({ method: "DELETE", path: path(workspace), signal }),
  }
}

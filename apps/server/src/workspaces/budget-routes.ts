import { BudgetLimits, WorkspaceBudget } from "@assay/schemas"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const ONE = "/workspaces/:ws/budget"

const read = describeRoutes("workspaces", { scope: "workspace", role: "viewer" })
const administer = describeRoutes("workspaces", { scope: "workspace", role: "admin" })
const one = { params: WorkspaceParameters, response: ok(WorkspaceBudget) }

/** Defines the routes for budgets of workspaces, under `/apis/entities/v2`. */
export function budgetRoutes(app: App, { registry: { budgets } }: Services): void {
  app.get(ONE, read({ summary: "Get the budget of a workspace and its use in this month", ...one }), ({ params }) =>
    budgets.get(params.ws),
  )
  app.put(
    ONE,
    administer({ summary: "Set the limits of a workspace for each month", body: BudgetLimits, ...one }),
    ({ params, body }) => budgets.set(params.ws, body),
  )
  app.delete(ONE, administer({ summary: "Remove the limits of a workspace", ...one }), ({ params }) =>
    budgets.remove(params.ws),
  )
}

import { visibleWorkspaces } from "@assay/access"
import { BudgetLimits, Spending, WorkspaceBudget } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

/** Every launch of a model is refused while the cost is limited and no price is known. */
const NO_PRICES =
  "max_cost needs prices, and this server has no price table, so launches with models are refused: set ASSAY_PRICES_FILE, or limit max_tokens instead."

const ONE = "/workspaces/:ws/budget"

const SpendingQuery = Type.Object({
  months: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 120, default: 12, description: "The current month and those before it." }),
  ),
})

const list = describeRoutes("workspaces", { scope: "any" })
const read = describeRoutes("workspaces", { scope: "workspace", role: "viewer" })
const administer = describeRoutes("workspaces", { scope: "workspace", role: "admin" })
const one = { params: WorkspaceParameters, response: ok(WorkspaceBudget) }

/** Defines the routes for budgets of workspaces, under `/apis/entities/v2`. */
export function budgetRoutes(app: App, { registry: { budgets }, hasPrices }: Services): void {
  const withWarning = (budget: WorkspaceBudget): WorkspaceBudget =>
    hasPrices || budget.limits.max_cost === undefined ? budget : { ...budget, warning: NO_PRICES }
  app.get(
    ONE,
    read({ summary: "Get the budget of a workspace and its use in this month", ...one }),
    async ({ params }) => withWarning(await budgets.get(params.ws)),
  )
  app.put(
    ONE,
    administer({ summary: "Set the limits of a workspace for each month", body: BudgetLimits, ...one }),
    async ({ params, body }) => withWarning(await budgets.set(params.ws, body)),
  )
  app.get(
    "/spending",
    list({
      summary: "List what the jobs of all workspaces that the caller sees have used, month by month",
      querystring: SpendingQuery,
      response: ok(Spending),
    }),
    (request) => budgets.list(request.query.months ?? 12, visibleWorkspaces(callerOf(request))),
  )
  app.delete(ONE, administer({ summary: "Remove the limits of a workspace", ...one }), ({ params }) =>
    budgets.remove(params.ws),
  )
}

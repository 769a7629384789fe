import { formatCost, formatInteger } from "@assay/reports"
import { AssayError, findPrice, type WorkspaceBudget } from "@assay/schemas"
import type { LaunchPorts } from "./launch-ports.ts"
import { type CheckRun, type FailedCheck, failedCheck, formatLimit, launchRefused } from "./check-run.ts"
import type { NamedEndpoint } from "./launch-facts.ts"

/**
 * Checks that the workspace has something left of its budget for this month. If the budget limits the cost, every model must have a price:
 * an unknown cost is not 0.
 */
export async function checkWorkspaceBudget(
  asked: readonly NamedEndpoint[],
  { getBudget, prices }: Pick<LaunchPorts, "getBudget" | "prices">,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  if (getBudget === undefined) return []
  const end = run.begin("budget", [])
  const outcome = await run.run("budget", getBudget, () => {
    const message = `The budget of the workspace could not be read within ${formatLimit(run.limitMs)}; try again.`
    return new AssayError("unavailable", message)
  })
  if ("failed" in outcome) return end({ failed: [outcome.failed], warnings: [] }).failed
  const { value: budget } = outcome
  const models = new Set(asked.map(({ endpoint }) => endpoint.model_id))
  const unpriced =
    budget.limits.max_cost === undefined
      ? []
      : [...models].filter((model) => prices === undefined || findPrice(prices, model) === undefined)
  const errors = [...(budget.exhausted === null ? [] : [exhausted(budget)]), ...unpriced.map(withoutPrice(budget))]
  return end({ failed: errors.map((error) => failedCheck("budget", error)), warnings: [] }).failed
}

/** Checks only that the workspace has something left of its budget. @throws `launch_refused` */
export function requireBudget(budget: WorkspaceBudget): void {
  if (budget.exhausted !== null) throw launchRefused([failedCheck("budget", exhausted(budget))])
}

function exhausted({ workspace, month, resets_at, limits, usage, exhausted: limit }: WorkspaceBudget): AssayError {
  const { requests, prompt_tokens, completion_tokens, cost } = usage
  const { max_requests = 0, max_tokens = 0, max_cost = 0 } = limits
  const used =
    limit === "max_requests"
      ? `${formatInteger(requests)} of ${formatInteger(max_requests)} requests`
      : limit === "max_tokens"
        ? `${formatInteger(prompt_tokens + completion_tokens)} of ${formatInteger(max_tokens)} tokens`
        : `${formatCost(cost?.amount ?? 0, "of")} ${formatCost(max_cost, cost?.currency ?? "")}`
  const message = `The jobs of workspace '${workspace}' have used ${used} in ${month} (${limit}); its budget begins again at ${resets_at}.`
  return new AssayError("budget_exhausted", message)
}

function withoutPrice({ workspace }: WorkspaceBudget): (model: string) => AssayError {
  return (model) => {
    const message = `The budget of workspace '${workspace}' has a max_cost, and the price of '${model}' is not known.`
    const remedy =
      "Add the model to the price table of the server (ASSAY_PRICES_FILE), or limit max_tokens instead of max_cost."
    return new AssayError("invalid_request", message, { context: { remedy } })
  }
}

import { formatBudget } from "@assay/reports/terminal"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"

export interface SetBudgetOptions extends JsonOption {
  readonly maxRequests?: number
  readonly maxTokens?: number
  readonly maxCost?: number
}

/** Runs `assay budget set [workspace]`. */
export async function setBudget(
  context: Context,
  workspace: string | undefined,
  options: SetBudgetOptions,
): Promise<void> {
  const { maxRequests, maxTokens, maxCost } = options
  const limits = given({ max_requests: maxRequests, max_tokens: maxTokens, max_cost: maxCost })
  if (Object.keys(limits).length === 0) {
    const message = "A budget needs a limit: give --max-requests, --max-tokens or --max-cost."
    throw new AssayError("bad_usage", message)
  }
  const { signal } = context
  const budget = await openClient(context).budgets.set(workspace ?? defaultWorkspace(context), limits, { signal })
  await print(context, options, budget, formatBudget)
}

/** Runs `assay budget get [workspace]`. */
export async function getBudget(context: Context, workspace: string | undefined, options: JsonOption): Promise<void> {
  const { signal } = context
  const budget = await openClient(context).budgets.get(workspace ?? defaultWorkspace(context), { signal })
  await print(context, options, budget, formatBudget)
}

/** Runs `assay budget delete [workspace]`. */
export async function deleteBudget(
  context: Context,
  workspace: string | undefined,
  options: JsonOption,
): Promise<void> {
  const { signal } = context
  const budget = await openClient(context).budgets.remove(workspace ?? defaultWorkspace(context), { signal })
  await print(context, options, budget, () => `deleted the budget of ${budget.workspace}\n`)
}

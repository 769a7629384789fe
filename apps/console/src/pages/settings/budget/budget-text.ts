import { formatCost, formatInteger } from "@assay/reports"
import type { BudgetLimits, WorkspaceBudget } from "@assay/schemas"

/** A limit of a budget with what was used of it. */
export interface LimitUse {
  readonly name: string
  readonly used: string
  readonly limit: string
  /** From 0, and above 1 if it was exceeded. */
  readonly share: number
}

/** Returns the limits of a budget with what was used of each. */
export function limitsInUse({ limits, usage }: Pick<WorkspaceBudget, "limits" | "usage">): readonly LimitUse[] {
  const { requests, prompt_tokens, completion_tokens, cost } = usage
  const used: Readonly<Record<keyof BudgetLimits, readonly [string, number]>> = {
    max_requests: ["requests", requests],
    max_tokens: ["tokens", prompt_tokens + completion_tokens],
    max_cost: [cost?.currency ?? "of cost", cost?.amount ?? 0],
  }
  return (Object.keys(used) as (keyof BudgetLimits)[]).flatMap((key) => {
    const limit = limits[key]
    const [name, amount] = used[key]
    if (limit === undefined) return []
    const text = key === "max_cost" ? (value: number) => formatCost(value, "") : formatInteger
    return [{ name, used: text(amount), limit: text(limit), share: limit === 0 ? 1 : amount / limit }]
  })
}

/** Returns a budget in one line, its limit that is used most. */
export function budgetText(budget: WorkspaceBudget | undefined): string {
  if (budget === undefined) return ""
  const [most] = limitsInUse(budget).toSorted((one, other) => other.share - one.share)
  if (most === undefined) return "none"
  return `${Math.round(100 * most.share)} % of ${most.limit} ${most.name}`
}

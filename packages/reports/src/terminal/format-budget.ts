import type { WorkspaceBudget } from "@assay/schemas"
import { formatCost } from "../text/estimate-facts.ts"
import { formatInteger } from "../text/format-number.ts"
import { formatRecord } from "./format-table.ts"

/** Formats the budget of a workspace: what is used of each limit in the current month. */
export function formatBudget({
  workspace,
  month,
  resets_at,
  limits,
  usage,
  exhausted,
  warning,
}: WorkspaceBudget): string {
  const { requests, prompt_tokens: prompt, completion_tokens: completion, unpriced_tokens: unpriced, cost } = usage
  const currency = cost?.currency ?? ""
  const formatMoney = (amount: number) => formatCost(amount, currency).trim()
  const parts = `${formatInteger(prompt)} of prompts, ${formatInteger(completion)} of answers`
  const spent = cost === null && limits.max_cost === undefined ? "not known" : formatMoney(cost?.amount ?? 0)
  const record = formatRecord({
    workspace,
    month: `${month} (UTC), until ${resets_at}`,
    requests: ofLimit(formatInteger(requests), limits.max_requests, formatInteger),
    tokens: `${ofLimit(formatInteger(prompt + completion), limits.max_tokens, formatInteger)}: ${parts}`,
    cost: ofLimit(spent, limits.max_cost, formatMoney),
    ...(unpriced === 0
      ? {}
      : { "without price": `${formatInteger(unpriced)} tokens, which the cost does not contain` }),
  })
  const reached = exhausted === null ? "" : `\n${exhausted} is reached: running jobs end, and launches are refused.\n`
  return record + reached + (warning === undefined ? "" : `\nwarning: ${warning}\n`)
}

function ofLimit(used: string, limit: number | undefined, format: (limit: number) => string): string {
  return limit === undefined ? `${used} (no limit)` : `${used} of ${format(limit)}`
}

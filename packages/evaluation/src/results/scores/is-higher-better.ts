import type { EvaluationConfigBody } from "@assay/schemas"

type Config = Pick<EvaluationConfigBody, "tasks" | "type">

/** Of these types every score is an expense. */
const EXPENSES = new Set(["latency", "tokens", "cost"])
/** How a guardrail errs. */
const FAULTS = new Set(["false_block", "miss", "unreadable", "error"])

/** Whether a metric measures what is spent. */
export function isExpense(
  config: Config | undefined,
  { task, metric }: { readonly task: string; readonly metric: string },
): boolean {
  return EXPENSES.has(config?.tasks?.[task]?.metrics?.[metric]?.type ?? metric)
}

/** Whether a higher value of a score is the better one: of everything but what is spent and what goes wrong. */
export function isHigherBetter(
  config: Config | undefined,
  place: { readonly task: string; readonly metric: string; readonly score: string },
): boolean {
  return !isExpense(config, place) && !(config?.type === "content_safety" && FAULTS.has(place.score))
}

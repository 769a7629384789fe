import type { EvaluationConfigBody } from "@assay/schemas"

type Config = Pick<EvaluationConfigBody, "tasks" | "type">

/** Metrics of these types measure costs. */
const EXPENSES = new Set(["latency", "tokens", "cost"])
/** Scores of a guardrail that count its mistakes. */
const FAULTS = new Set(["false_block", "miss", "unreadable", "error"])

/** Whether a metric measures time, tokens or money. */
export function isExpense(
  config: Config | undefined,
  { task, metric }: { readonly task: string; readonly metric: string },
): boolean {
  return EXPENSES.has(config?.tasks?.[task]?.metrics?.[metric]?.type ?? metric)
}

/** Whether a higher value of a score is better. This is true for all scores except expenses and mistakes of a guardrail. */
export function isHigherBetter(
  config: Config | undefined,
  place: { readonly task: string; readonly metric: string; readonly score: string },
): boolean {
  return !isExpense(config, place) && !(config?.type === "content_safety" && FAULTS.has(place.score))
}

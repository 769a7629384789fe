import type { EvaluationConfigBody } from "@assay/schemas"

/** Of these types every score is an expense. */
const EXPENSES = new Set(["latency", "tokens", "cost"])
/** How a guardrail errs. */
const FAULTS = new Set(["false_block", "miss", "unreadable", "error"])

/** Whether a higher value of a score is the better one: of everything but what is spent and what goes wrong. */
export function isHigherBetter(
  config: Pick<EvaluationConfigBody, "tasks" | "type"> | undefined,
  { task, metric, score }: { readonly task: string; readonly metric: string; readonly score: string },
): boolean {
  const type = config?.tasks?.[task]?.metrics?.[metric]?.type ?? metric
  return !EXPENSES.has(type) && !(config?.type === "content_safety" && FAULTS.has(score))
}

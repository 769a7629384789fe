import type { GateLimit } from "@assay/metrics"
import { type EvaluationConfigBody, scaleFault, scoreScale } from "@assay/schemas"
import type { NamedScore } from "./list-scores.ts"

/** Returns what is wrong with a limit that every value of a score keeps or breaks. Undefined: nothing is, or its scale is not known. */
export function limitFault(
  { tasks = {} }: Pick<EvaluationConfigBody, "tasks">,
  { task, metric, score, name }: Pick<NamedScore, "task" | "metric" | "score" | "name">,
  limit: GateLimit,
): string | undefined {
  const metrics = (Object.hasOwn(tasks, task) ? tasks[task]?.metrics : undefined) ?? {}
  const config = Object.hasOwn(metrics, metric) ? metrics[metric] : undefined
  if (config === undefined) return undefined
  const [op, value] = "atLeast" in limit ? ([">=", limit.atLeast] as const) : (["<=", limit.atMost] as const)
  return scaleFault({ name, op, value }, scoreScale(config, score))
}

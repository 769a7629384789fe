import { fieldsOf, listOf } from "@assay/json"
import type { EvaluationTask } from "@assay/schemas"
import { type IdentityParts, metricParts } from "./metric-parts.ts"

/** The key of the score that says whether a simulated user kept to its facts. */
const USER = "user"
/** `contains@2` is the score of `contains` in the second turn. */
const NUMBERED = /^(.+)@(\d+)$/s

/**
 * Returns the parts of a score that a conversation gets from its turns: those of its check in each turn of the file, and for one turn also its
 * number. Undefined for a score that no turn has.
 */
export function turnParts({ type, params }: EvaluationTask, metric: string): IdentityParts | undefined {
  if (type !== "conversation") return undefined
  const { turns, user } = fieldsOf(fieldsOf(params)["conversation"])
  const { judge, facts } = fieldsOf(user)
  if (metric === USER && judge !== undefined)
    return metricParts({ type: "kept-facts", params: { judge: { model: judge }, facts } })
  const [, base = metric, number] = NUMBERED.exec(metric) ?? []
  const checks = listOf(turns).flatMap((turn, at) => {
    const metrics = fieldsOf(fieldsOf(turn)["metrics"])
    return Object.hasOwn(metrics, base) ? [[`turn ${at + 1}`, metrics[base]] as const] : []
  })
  if (checks.length === 0) return undefined
  return metricParts({ type: "checklist", params: { checks: Object.fromEntries(checks), turn: number ?? null } })
}

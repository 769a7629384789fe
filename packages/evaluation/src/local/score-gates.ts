import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"
import { shapePlan } from "../plan/shape-plan.ts"
import type { ScoreGate } from "../results/scores/check-gates.ts"

const SHAPE = /^\s*(.+?)\s*(>=|<=)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*$/i

/** Parses a gate such as `task.metric.score>=0.8` or `task.metric.score<=0.1`. @throws `bad_usage` */
export function parseGate(text: string): ScoreGate {
  const [, name, relation, number] = SHAPE.exec(text) ?? []
  if (name === undefined || number === undefined) {
    const message = `'${printable(text)}' is not a gate: write task.metric.score>=0.8, or <= if lower is better.`
    throw new AssayError("bad_usage", message)
  }
  return { name, limit: relation === ">=" ? { atLeast: Number(number) } : { atMost: Number(number) } }
}

/**
 * Checks before a launch that each gate names a score that the job will have. Checks nothing if target or configuration is only named,
 * or if they have faults: then the result decides.
 * @throws `bad_usage` with the names of all scores
 */
export function checkGateNames(
  gates: readonly ScoreGate[],
  target: string | EvaluationTargetBody,
  config: string | EvaluationConfigBody,
): void {
  if (gates.length === 0 || typeof target === "string" || typeof config === "string") return
  const { tasks, issues } = shapePlan(target, config)
  if (tasks.length === 0 || issues.length > 0) return
  const names = tasks.flatMap(({ name, group, metrics }) =>
    metrics.flatMap(({ key, scores }) => scores.map((score) => `${group ?? name}.${key}.${score}`)),
  )
  const unknown = gates.find(({ name }) => !names.includes(name))
  if (unknown === undefined) return
  const message = `A gate names '${printable(unknown.name)}', which is not a score of this job. Its scores are ${names.map(printable).join(", ")}.`
  throw new AssayError("bad_usage", message)
}

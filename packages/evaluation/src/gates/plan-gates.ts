import type { GateLimit } from "@assay/metrics"
import type { EvaluationConfigBody } from "@assay/schemas"
import type { JobGate } from "@assay/schemas/gates"
import type { IssueList, TaskShape } from "../plan/task-shape.ts"

/** A gate of a job whose score exists. */
export interface PlannedGate {
  /** `task.metric.score`, with the name under which the results have the task. */
  readonly name: string
  readonly task: string
  readonly metric: string
  readonly score: string
  readonly limit: GateLimit
  readonly isEarly: boolean
  /** The probability of a wrong verdict of this gate. */
  readonly alpha: number
  readonly range: readonly [number, number]
}

const ALPHA = 0.05
const UNIT = [0, 1] as const

/**
 * Returns the gates of a configuration, and reports those that do not fit its tasks. Early gates of one job share their `alpha` in equal
 * parts, so that the probability of any wrong verdict among them is at most the largest one.
 */
export function planGates(
  { params, tasks: configured }: Pick<EvaluationConfigBody, "params" | "tasks">,
  tasks: readonly Pick<TaskShape, "name" | "group" | "metrics">[],
  issues: IssueList,
): readonly PlannedGate[] {
  const gates = params?.gates ?? []
  const early = gates.filter(({ stop }) => stop === "early").length
  return gates.flatMap((gate, at) => {
    const place = `config.params.gates.${at}`
    const task = tasks.find(({ name }) => name === gate.task)
    if (task === undefined) {
      // A task with faults of its own has no shape, and its faults are reported already.
      if (configured?.[gate.task] === undefined)
        issues.add(
          `${place}.task: '${gate.task}' is not a task of this configuration${listOf(tasks.map(({ name }) => name))}.`,
        )
      return []
    }
    const metric = task.metrics.find(({ key }) => key === gate.metric)
    if (metric === undefined) {
      issues.add(
        `${place}.metric: task '${task.name}' has no metric '${gate.metric}'${listOf(task.metrics.map(({ key }) => key))}.`,
      )
      return []
    }
    const score = gate.score ?? (metric.scores.length === 1 ? metric.scores[0] : undefined)
    if (score === undefined || !metric.scores.includes(score)) {
      const problem =
        gate.score === undefined ? "is missing" : `'${gate.score}' is not a score of metric '${metric.key}'`
      issues.add(`${place}.score: ${problem}${listOf(metric.scores)}.`)
      return []
    }
    const fault = faultOf(gate)
    if (fault !== undefined) {
      issues.add(`${place}.${fault}`)
      return []
    }
    const isEarly = gate.stop === "early"
    return {
      name: `${task.group ?? task.name}.${metric.key}.${score}`,
      task: task.name,
      metric: metric.key,
      score,
      limit: gate.op === ">=" ? { atLeast: gate.value } : { atMost: gate.value },
      isEarly,
      alpha: isEarly ? (gate.alpha ?? ALPHA) / early : ALPHA,
      range: gate.range ?? UNIT,
    }
  })
}

function faultOf({ stop, alpha = ALPHA, value, range = [...UNIT] }: JobGate): string | undefined {
  if (stop !== "early") {
    return alpha === ALPHA
      ? undefined
      : `alpha: ${alpha} is only possible with "stop": "early"; other gates have ${ALPHA}.`
  }
  const [low, high] = range
  if (low >= high) return `range: [${low}, ${high}] is not a range; give the lowest value first.`
  if (value >= low && value <= high) return undefined
  return `value: ${value} is not within [${low}, ${high}]; give the lowest and the highest value of a row as "range".`
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "" : `; there is ${names.slice(0, 20).join(", ")}`
}

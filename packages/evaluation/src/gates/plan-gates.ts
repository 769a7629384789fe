import type { GateLimit } from "@assay/metrics"
import { type EvaluationConfigBody, type JobGate, type MetricConfig, scaleFault, scoreScale } from "@assay/schemas"
import type { IssueList, MetricDefinition } from "@assay/scoring"
import { type otherResults, resultScores } from "@assay/results"

/** A gate of a job whose score exists. */
export interface PlannedGate {
  /** `task.metric.score`, with the name under which the results have the task, and what it is compared with row by row. */
  readonly name: string
  /** `task.metric.score`, with the name under which the results have the task. */
  readonly scoreName: string
  readonly task: string
  readonly metric: string
  readonly score: string
  readonly limit: GateLimit
  readonly isEarly: boolean
  /** Whether the mean that labels of people correct is compared. */
  readonly isCorrected: boolean
  /** Whether the value of these rows is compared, without an interval. */
  readonly isOnTheseRows: boolean
  /** The share of asked rows that may have no score. Undefined: the default. */
  readonly maxUnscored?: number | undefined
  /** The probability of a wrong verdict of this gate. */
  readonly alpha: number
  /** The lowest and the highest value of a row, or of the difference between two. */
  readonly range: readonly [number, number]
  /** Whether the mean of all rows like these is compared, and not that of the dataset. Absent: that of the dataset. */
  readonly isUnlimited?: boolean
  /** The results with which the score is compared row by row. */
  readonly against?: string | undefined
  /** Whether a higher score is better. */
  readonly higherIsBetter: boolean
}

/** The results that gates name, by the gate. */
export type GateReferences = Awaited<ReturnType<typeof otherResults.readReferences<PlannedGate>>>

/** The part of a task that its gates need. */
interface GatedTask {
  readonly name: string
  /** The name of its results, if it is not its own name. */
  readonly group?: string | undefined
  readonly metrics: readonly Pick<MetricDefinition, "key" | "scores">[]
  readonly run?: { readonly clusterBy?: string | undefined } | undefined
}

const ALPHA = 0.05
const UNIT = [0, 1] as const

/**
 * Returns the gates of a configuration, and reports those that do not fit its tasks. Early gates of one job share their `alpha` in equal
 * parts, so that the probability of any wrong verdict among them is at most the largest one.
 */
export function planGates(
  config: Pick<EvaluationConfigBody, "params" | "tasks" | "type">,
  tasks: readonly GatedTask[],
  issues: IssueList,
): readonly PlannedGate[] {
  const { params, tasks: configured } = config
  const gates = params?.gates ?? []
  const early = gates.filter(({ stop }) => stop === "early").length
  return gates.flatMap((gate, at) => {
    const location = `config.params.gates.${at}`
    const task = tasks.find(({ name }) => name === gate.task)
    if (task === undefined) {
      // A task with faults of its own has no shape, and its faults are reported already.
      if (configured?.[gate.task] === undefined)
        issues.add(
          `${location}.task: '${gate.task}' is not a task of this configuration${listOf(tasks.map(({ name }) => name))}.`,
        )
      return []
    }
    const metric = task.metrics.find(({ key }) => key === gate.metric)
    if (metric === undefined) {
      issues.add(
        `${location}.metric: task '${task.name}' has no metric '${gate.metric}'${listOf(task.metrics.map(({ key }) => key))}.`,
      )
      return []
    }
    const score = gate.score ?? (metric.scores.length === 1 ? metric.scores[0] : undefined)
    if (score === undefined || !metric.scores.includes(score)) {
      const problem =
        gate.score === undefined ? "is missing" : `'${gate.score}' is not a score of metric '${metric.key}'`
      issues.add(`${location}.score: ${problem}${listOf(metric.scores)}.`)
      return []
    }
    const written = configured?.[gate.task]?.metrics?.[gate.metric]
    const fault =
      faultOf(gate) ??
      populationFault(gate, task) ??
      limitFault(gate, written, score) ??
      correctionFault(gate, written?.labels)
    if (fault !== undefined) {
      issues.add(`${location}.${fault}`)
      return []
    }
    const isEarly = gate.stop === "early"
    const name = `${task.group ?? task.name}.${metric.key}.${score}`
    return {
      ...comparisonOf(gate, name),
      scoreName: name,
      task: task.name,
      metric: metric.key,
      score,
      isEarly,
      isUnlimited: gate.population === "unlimited",
      isCorrected: gate.corrected === true,
      isOnTheseRows: gate.on_these_rows === true,
      maxUnscored: gate.max_unscored,
      alpha: isEarly ? (gate.alpha ?? ALPHA) / early : ALPHA,
      higherIsBetter: resultScores.isHigherBetter(config, { task: task.name, metric: metric.key, score }),
    }
  })
}

/** Reports gates that a benchmark can't have: its harness asks its rows by itself, and only its results say which scores it has. */
export function checkHarnessGates({ params }: Pick<EvaluationConfigBody, "params">, issues: IssueList): void {
  for (const [at, gate] of (params?.gates ?? []).entries()) {
    const { stop, against, corrected } = gate
    const key =
      stop === "early" ? "stop" : against !== undefined ? "against" : corrected === true ? "corrected" : undefined
    const fault =
      key === undefined
        ? faultOf(gate)
        : `${key}: is not possible for a benchmark, whose harness asks its rows by itself.`
    if (fault !== undefined) issues.add(`config.params.gates.${at}.${fault}`)
  }
}

function comparisonOf(gate: JobGate, name: string): Pick<PlannedGate, "name" | "limit" | "range" | "against"> {
  const { op, value = 0, against, margin = 0, range = UNIT } = gate
  if (against === undefined) return { name, limit: op === ">=" ? { atLeast: value } : { atMost: value }, range }
  const widest = range[1] - range[0]
  return { name: `${name} gain over ${against}`, limit: { atLeast: 0 - margin }, range: [-widest, widest], against }
}

function faultOf(gate: JobGate): string | undefined {
  const { stop, alpha = ALPHA, op, value, against, margin, range = [...UNIT] } = gate
  if (gate.on_these_rows === true) {
    if (stop === "early")
      return 'on_these_rows: is not possible with "stop": "early": it is decided when all rows are scored.'
    if (against !== undefined) return 'on_these_rows: is not possible with "against", which compares row by row.'
    if (gate.corrected === true)
      return 'on_these_rows: is not possible with "corrected", which is an estimate with an interval.'
  }
  const hasLimit = op !== undefined && value !== undefined
  if (against === undefined && !hasLimit) return 'op: give "op" and "value", or "against".'
  if (against !== undefined && (op !== undefined || value !== undefined))
    return 'against: a gate has either "op" and "value" or "against"; give "margin" to allow a loss.'
  if (against === undefined && margin !== undefined) return `margin: ${margin} is only possible with "against".`
  if (stop !== "early") {
    if (against !== undefined)
      return 'against: needs "stop": "early"; to compare jobs that have ended, use a comparison.'
    return alpha === ALPHA
      ? undefined
      : `alpha: ${alpha} is only possible with "stop": "early"; other gates have ${ALPHA}.`
  }
  const [low, high] = range
  if (low >= high) return `range: [${low}, ${high}] is not a range; give the lowest value first.`
  if (margin !== undefined && margin > high - low)
    return `margin: ${margin} is more than values within [${low}, ${high}] can differ.`
  if (value === undefined || (value >= low && value <= high)) return undefined
  return `value: ${value} is not within [${low}, ${high}]; give the lowest and the highest value of a row as "range".`
}

function populationFault({ population, stop, against }: JobGate, { name, run }: GatedTask): string | undefined {
  if (population !== "unlimited") return undefined
  if (stop !== "early" || against !== undefined)
    return 'population: "unlimited" is only possible with "stop": "early" and a limit.'
  return run?.clusterBy === undefined
    ? undefined
    : `population: "unlimited" takes rows as independent, and task '${name}' has groups of rows (cluster_by).`
}

/** Returns the fault of a limit that every value, or no value, of the score keeps. */
function limitFault(
  { metric, op, value }: JobGate,
  written: MetricConfig | undefined,
  score: string,
): string | undefined {
  if (op === undefined || value === undefined || written === undefined) return undefined
  const fault = scaleFault({ name: `${metric}.${score}`, op, value }, scoreScale(written, score))
  return fault === undefined ? undefined : `value: ${fault}`
}

function correctionFault(
  { corrected, stop, metric, against }: JobGate,
  labels: string | undefined,
): string | undefined {
  if (corrected !== true) return undefined
  if (against !== undefined)
    return 'corrected: is not possible with "against": people label both jobs when they have ended, with `assay label next --until-decided`, and `assay eval compare --corrected` decides.'
  if (stop === "early")
    return 'corrected: is not possible with "stop": "early": the labels are read when all rows are scored.'
  return labels === undefined
    ? `corrected: metric '${metric}' has no "labels"; name the labels of people that correct it.`
    : undefined
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "" : `; there is ${names.slice(0, 20).join(", ")}`
}

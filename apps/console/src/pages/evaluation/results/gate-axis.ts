import { scoreScale, type EvaluationConfigBody, type JobGateState, type MetricConfig } from "@assay/schemas"
import { evenRange } from "../../../plots/even-range.ts"
import { unitOfMetric, type ScoreUnit } from "../jobs/score-unit.ts"

export interface GateAxis {
  readonly min: number
  readonly max: number
  readonly unit: ScoreUnit
}

type Config = Pick<EvaluationConfigBody, "tasks">

/**
 * Returns the axis on which a gate is drawn: the scale of its score. An amount begins at 0 and ends little above its largest value. Without a
 * known scale, the axis is 0 to 1 for shares, else even numbers close around the values. Values outside of a scale widen it.
 */
export function gateAxis(
  config: Config,
  { name, value, low, high }: Pick<JobGateState, "name" | "value" | "low" | "high">,
  bound: number | null,
): GateAxis {
  const known = [bound, value, low, high].filter((one) => typeof one === "number")
  const least = Math.min(...known)
  const most = Math.max(...known)
  const found = metricOfGate(config, name)
  const unit = found === undefined ? undefined : unitOfMetric(config, found.name, found.task)
  const scale = found === undefined ? undefined : scoreScale(found.metric, found.score)
  const [from, to] = scale ?? (least >= 0 && most <= 1 ? [0, 1] : [least, most])
  if (from <= least && to >= most && Number.isFinite(to) && from < to && (scale !== undefined || to === 1))
    return { min: from, max: to, unit }
  const isAmount = scale?.[1] === Number.POSITIVE_INFINITY && least >= 0
  const [min, max] = evenRange(isAmount ? 0 : Math.min(from, least), Number.isFinite(to) ? Math.max(to, most) : most)
  return { min, max, unit }
}

interface MetricOfGate {
  readonly task: string
  readonly name: string
  readonly metric: MetricConfig
  /** Undefined: the only score of the metric. */
  readonly score: string | undefined
}

/** Returns the metric that a gate names, with its task or without it. Undefined for a score that no metric of the configuration has. */
function metricOfGate({ tasks = {} }: Config, gate: string): MetricOfGate | undefined {
  const all = Object.entries(tasks).flatMap(([task, { metrics = {} }]) =>
    Object.entries(metrics).flatMap(([name, metric]) =>
      [`${task}.${name}`, name].map((prefix) => ({ task, name, metric, prefix })),
    ),
  )
  const [best] = all
    .filter(({ prefix }) => gate === prefix || gate.startsWith(`${prefix}.`))
    .toSorted((a, b) => b.prefix.length - a.prefix.length)
  if (best === undefined) return undefined
  const { prefix, ...found } = best
  return { ...found, score: gate === prefix ? undefined : gate.slice(prefix.length + 1) }
}

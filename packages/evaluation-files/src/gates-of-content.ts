import {
  AssayError,
  printable,
  type ConversationConfig,
  type EvaluationConfigBody,
  MAX_TURNS,
  type JobGate,
} from "@assay/schemas"
import type { EvaluationContent } from "./evaluation-content.ts"
import { parseGateText } from "./gate-text.ts"

/**
 * Returns the content of a file whose gates are a part of its configuration, so that its job is judged by them.
 * @throws `bad_document` if the configuration is only named, or if a gate names no metric of it
 */
export function withGatesInJob(content: EvaluationContent): EvaluationContent {
  const { gates = [], config, ...others } = content
  if (gates.length === 0) return content
  if (typeof config === "string") {
    const message =
      "'gates': the configuration of this file is only named, and gates need its metrics: launch the file with `assay eval launch`, or write them into the stored configuration, as params.gates."
    throw new AssayError("bad_document", message)
  }
  return { ...others, config: withGates(config, gates) }
}

/** Adds gates to a configuration. @throws `bad_document` if a gate names no metric of it */
export function withGates(
  config: EvaluationConfigBody,
  gates: NonNullable<EvaluationContent["gates"]>,
): EvaluationConfigBody {
  if (gates.length === 0) return config
  const metrics = metricsOf(config)
  // The harness of a benchmark names its scores, and other types have metrics that are not in the configuration.
  const known = metrics.length > 0 && config.type !== "benchmark" ? metrics : undefined
  const added = gates.map((gate) => (typeof gate === "string" ? jobGateOf(gate, known) : gate))
  const params = { ...config.params, gates: [...(config.params?.gates ?? []), ...added] }
  return { ...config, params }
}

interface NamedMetric {
  readonly task: string
  readonly metric: string
}

function metricsOf({ tasks = {} }: EvaluationConfigBody): readonly NamedMetric[] {
  return Object.entries(tasks).flatMap(([task, { metrics = {}, params }]) => [
    ...Object.keys(metrics).map((metric) => ({ task, metric })),
    ...metricsOfConversation(params?.conversation).map((metric) => ({ task, metric })),
  ])
}

/** Returns the metrics of turns, over all of them and of each, such as `contains` and `contains@2`, and that of a simulated user. */
function metricsOfConversation({ turns, user }: ConversationConfig = {}): readonly string[] {
  const given = Array.isArray(turns) ? turns : []
  const keys = [...new Set(given.flatMap(({ metrics = {} }) => Object.keys(metrics)))]
  const held = Math.min(
    MAX_TURNS,
    given.reduce((sum, { repeat }) => sum + (repeat?.limit ?? 1), 0),
  )
  const numbered = keys.flatMap((key) => Array.from({ length: held }, (_, turn) => `${key}@${turn + 1}`))
  return [...keys, ...numbered, ...(user?.judge === undefined ? [] : ["user"])]
}

/** @param metrics undefined if the type of the configuration has metrics that it need not name */
function jobGateOf(text: string, metrics: readonly NamedMetric[] | undefined): JobGate {
  const parsed = parseGateText(text, "task.metric >= 0.8")
  if (typeof parsed === "string") throw new AssayError("bad_document", `'gates': ${parsed}`)
  const { name, op, value, isCorrected, isOnTheseRows } = parsed
  const found = metrics === undefined ? splitName(name) : findMetric(name, metrics)
  if (found === undefined) {
    const whole = (metrics ?? []).filter(({ metric }) => !/@\d+$/u.test(metric))
    const names = whole.map(({ task, metric }) => printable(`${task}.${metric}`)).join(", ")
    const message =
      metrics === undefined
        ? `'gates': '${printable(name)}' is not the name of a score: write task.metric, or task.metric.score.`
        : `'gates': '${printable(name)}' is not a metric of this file; its metrics are ${names}.`
    throw new AssayError("bad_document", message)
  }
  return {
    ...found,
    op,
    value,
    ...(isCorrected ? { corrected: true } : {}),
    ...(isOnTheseRows ? { on_these_rows: true } : {}),
  }
}

/** Splits `task.metric` or `task.metric.score`. The launch or the results say whether there is such a score. */
function splitName(name: string): Pick<JobGate, "task" | "metric" | "score"> | undefined {
  const parts = name.split(".")
  const [task = "", metric = "", score] = parts.length > 2 ? [parts.slice(0, -2).join("."), ...parts.slice(-2)] : parts
  if (task === "" || metric === "" || score === "") return undefined
  return { task, metric, ...(score === undefined ? {} : { score }) }
}

/** Finds the metric with the longest name that a gate begins with, with its task or without. */
function findMetric(
  name: string,
  metrics: readonly NamedMetric[],
): Pick<JobGate, "task" | "metric" | "score"> | undefined {
  const candidates = metrics.flatMap(({ task, metric }) =>
    [`${task}.${metric}`, metric].map((written) => ({ task, metric, written })),
  )
  const matching = candidates.filter(({ written }) => name === written || name.startsWith(`${written}.`))
  const [best] = matching.toSorted((a, b) => b.written.length - a.written.length)
  if (best === undefined) return undefined
  const { task, metric, written } = best
  // A metric that several tasks have is named with its task.
  if (matching.some((one) => one.written === written && one.task !== task)) return undefined
  return { task, metric, ...(name === written ? {} : { score: name.slice(written.length + 1) }) }
}

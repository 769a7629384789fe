import { AssayError, printable, type ConversationConfig, MAX_TURNS, type JobGate } from "@assay/schemas"
import type { EvaluationContent } from "./evaluation-content.ts"
import { parseGateText } from "./gate-text.ts"

/**
 * Returns the content of a file whose gates are a part of its configuration, so that its job compares them. For whoever launches a job and does not wait
 * for its end.
 * @throws `bad_document` if a server stores the configuration, or if a gate names no metric of the file
 */
export function withGatesInJob(content: EvaluationContent): EvaluationContent {
  const { gates = [], config, ...others } = content
  if (gates.length === 0) return content
  if (typeof config === "string") {
    const message =
      "'gates': the configuration of this file is only named, so its job can't compare gates of the file; write them into the stored configuration, as params.gates."
    throw new AssayError("bad_document", message)
  }
  const metrics = metricsOf(config)
  const added = gates.map((gate) => jobGateOf(gate, metrics))
  const params = { ...config.params, gates: [...(config.params?.gates ?? []), ...added] }
  return { ...others, config: { ...config, params } }
}

interface NamedMetric {
  readonly task: string
  readonly metric: string
}

function metricsOf({ tasks = {} }: Exclude<EvaluationContent["config"], string>): readonly NamedMetric[] {
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

function jobGateOf(text: string, metrics: readonly NamedMetric[]): JobGate {
  const parsed = parseGateText(text, "task.metric >= 0.8")
  if (typeof parsed === "string") throw new AssayError("bad_document", `'gates': ${parsed}`)
  const { name, op, value, isCorrected, isOnTheseRows } = parsed
  const found = findMetric(name, metrics)
  if (found === undefined) {
    const whole = metrics.filter(({ metric }) => !/@\d+$/u.test(metric))
    const names = whole.map(({ task, metric }) => printable(`${task}.${metric}`)).join(", ")
    const message = `'gates': '${printable(name)}' is not a metric of this file; its metrics are ${names}.`
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

import type { EvaluationConfigBody, EvaluationResult, MetricConfig, WireNames } from "@assay/schemas"
import { taskMetrics } from "@assay/scoring"

type Metrics = EvaluationResult["tasks"][string]["metrics"]

const GOAL = "agent_goal_accuracy"

/** Scores that have another name for clients of the first version, by the type of their metric. */
const VENDOR_SCORES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  em: { em_score: "em" },
  f1: { f1_score: "f1" },
  bleu: { sentence: "bleu_score" },
  [`${GOAL}_with_reference`]: { [`${GOAL}_with_reference`]: GOAL },
  [`${GOAL}_without_reference`]: { [`${GOAL}_without_reference`]: GOAL },
}

/**
 * Returns a result in the form of answers: with the names of scores that `wireNames` says. Archives and rows keep ours. The vendor's
 * names need the configuration itself, not its name.
 */
export function presentResult(
  result: EvaluationResult,
  config: EvaluationConfigBody | string,
  wireNames: WireNames,
): EvaluationResult {
  if (wireNames !== "vendor" || typeof config === "string") return result
  const tasks = Object.entries(result.tasks).map(([name, { metrics }]) => {
    const task = config.tasks?.[name]
    return [name, { metrics: task === undefined ? metrics : renamed(metrics, taskMetrics(config, task)) }]
  })
  return { ...result, tasks: Object.fromEntries(tasks) }
}

function renamed(metrics: Metrics, configured: Readonly<Record<string, MetricConfig>>): Metrics {
  const entries = Object.entries(metrics).map(([key, { scores }]) => {
    const names = VENDOR_SCORES[configured[key]?.type ?? ""] ?? {}
    return [key, { scores: Object.fromEntries(Object.entries(scores).map(([n, score]) => [names[n] ?? n, score])) }]
  })
  return Object.fromEntries(entries)
}

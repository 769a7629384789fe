import type { EvaluationConfigBody, EvaluationResult, MetricConfig } from "@assay/schemas"
import { loadEvaluation } from "../load-evaluation.ts"

type Metrics = EvaluationResult["tasks"][string]["metrics"]

const GOAL = "agent_goal_accuracy"

/** Scores that clients of the first version read under other names, by the type of their metric. */
const VENDOR_SCORES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  em: { em_score: "em" },
  f1: { f1_score: "f1" },
  bleu: { sentence: "bleu_score" },
  [`${GOAL}_with_reference`]: { [`${GOAL}_with_reference`]: GOAL },
  [`${GOAL}_without_reference`]: { [`${GOAL}_without_reference`]: GOAL },
}

/** A result whose scores have the vendor's names. Archives and rows keep ours. */
export async function vendorResult(result: EvaluationResult, config: EvaluationConfigBody): Promise<EvaluationResult> {
  const { taskMetrics } = await loadEvaluation()
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

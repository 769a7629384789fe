import type { EvaluationConfigBody, EvaluationResult, Score } from "@assay/schemas"

export interface NamedScore {
  /** The task or the group that the score belongs to. */
  readonly task: string
  readonly metric: string
  readonly score: string
  /** `task.metric.score` */
  readonly name: string
  readonly found: Score
}

/** Lists every score of a result in its order, tasks before groups. */
export function listScores(result: Pick<EvaluationResult, "tasks" | "groups">): readonly NamedScore[] {
  return [...Object.entries(result.tasks), ...Object.entries(result.groups)].flatMap(([task, { metrics }]) =>
    Object.entries(metrics).flatMap(([metric, { scores }]) =>
      Object.entries(scores).map(([score, found]) => ({
        task,
        metric,
        score,
        name: `${task}.${metric}.${score}`,
        found,
      })),
    ),
  )
}

type Config = Pick<EvaluationConfigBody, "tasks" | "type">

/** Metrics of these types measure costs. */
const EXPENSES = new Set(["latency", "tokens", "cost"])
/** Scores of a guardrail that count its mistakes. */
const FAULTS = new Set(["false_block", "miss", "unreadable", "error"])

/** Whether a metric measures time, tokens or money. */
export function isExpense(
  config: Config | undefined,
  { task, metric }: { readonly task: string; readonly metric: string },
): boolean {
  return EXPENSES.has(config?.tasks?.[task]?.metrics?.[metric]?.type ?? metric)
}

/** Whether a higher value of a score is better. This is true for all scores except expenses and mistakes of a guardrail. */
export function isHigherBetter(
  config: Config | undefined,
  place: { readonly task: string; readonly metric: string; readonly score: string },
): boolean {
  return !isExpense(config, place) && !(measuresGuardrails(config) && FAULTS.has(place.score))
}

function measuresGuardrails(config: Config | undefined): boolean {
  return config?.type === "content_safety" || config?.type === "calibration"
}

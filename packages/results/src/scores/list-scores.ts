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

/**
 * Finds the score that a gate names: `task.metric.score`, or `task.metric` if the metric has only one score. The task can be left out if that
 * names one score only.
 */
export function findScore<Named extends Pick<NamedScore, "task" | "metric" | "name">>(
  scores: readonly Named[],
  name: string,
): Named | undefined {
  const found = scores.find((one) => one.name === name)
  if (found !== undefined) return found
  const ofMetric = scores.filter(({ task, metric }) => name === `${task}.${metric}`)
  const withoutTask = scores.filter((one) => name === one.metric || one.name === `${one.task}.${name}`)
  const [only, ...others] = ofMetric.length > 0 ? ofMetric : withoutTask
  return others.length === 0 ? only : undefined
}

type Config = Pick<EvaluationConfigBody, "tasks" | "type">
/** Where a score is in a result. */
export type ScoreKey = Pick<NamedScore, "task" | "metric" | "score">

/** The units of metrics that measure costs, by their type. */
const EXPENSES: Readonly<Record<string, string>> = { latency: "ms", tokens: "tokens", cost: "cost" }
/** Scores that describe something else than the quality of an answer, with their unit, by the type of their metric. */
const AMOUNTS: Readonly<Record<string, { readonly unit: string; readonly scores: readonly string[] }>> = {
  ter: { unit: "words", scores: ["edits", "reference_length"] },
  pairwise: { unit: "share", scores: ["tie", "position_bias", "longer_wins"] },
}
/** Metrics of these types measure errors. */
const ERRORS = new Set(["ter"])
/** Scores that are better if they are lower, by the type of their metric. */
const LOWER: Readonly<Record<string, readonly string[]>> = {
  loglikelihood: ["perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte"],
}
/** Scores of a guardrail that count its mistakes. */
const FAULTS = new Set(["false_block", "miss", "unreadable", "error"])

/** Units that stand behind a number. Money has the currency of its prices, which a configuration does not say. */
const WRITTEN: ReadonlySet<string | undefined> = new Set(["ms", "tokens", "words"])

/** Returns the unit that stands behind the values of a score, such as `ms`. Undefined for shares, grades and money. */
export function writtenUnit(config: Config | undefined, key: ScoreKey): string | undefined {
  const unit = unitOfAmount(config, key)
  return WRITTEN.has(unit) ? unit : undefined
}

/** Returns whether a score is an amount, such as time, tokens or money, or describes a judge. */
export function isAmount(config: Config | undefined, key: ScoreKey): boolean {
  return unitOfAmount(config, key) !== undefined
}

/** Returns the unit of a score that is an amount, or undefined. */
export function unitOfAmount(config: Config | undefined, key: ScoreKey): string | undefined {
  const type = typeOf(config, key)
  if (Object.hasOwn(EXPENSES, type)) return EXPENSES[type]
  const amounts = Object.hasOwn(AMOUNTS, type) ? AMOUNTS[type] : undefined
  return amounts?.scores.includes(key.score) === true ? amounts.unit : undefined
}

function typeOf(config: Config | undefined, { task, metric }: ScoreKey): string {
  return config?.tasks?.[task]?.metrics?.[metric]?.type ?? metric
}

/** Returns whether a higher value of a score is better. This is true for all scores except amounts, error rates and mistakes of a guardrail. */
export function isHigherBetter(config: Config | undefined, key: ScoreKey): boolean {
  const type = typeOf(config, key)
  if (isAmount(config, key) || ERRORS.has(type)) return false
  if (Object.hasOwn(LOWER, type) && LOWER[type]?.includes(key.score) === true) return false
  return !(measuresGuardrails(config) && FAULTS.has(key.score))
}

/** Returns whether the scores of a job are the mistakes of a guardrail. */
export function measuresGuardrails(config: Config | undefined): boolean {
  return config?.type === "content_safety" || config?.type === "calibration"
}

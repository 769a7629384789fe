import { fieldsOf, isJsonObject } from "@assay/json"
import type { MetricConfig } from "./metric-config.ts"

/** The lowest and the highest value of a score. */
export type ScoreScale = readonly [low: number, high: number]

const SHARE: ScoreScale = [0, 1]
const COSINE: ScoreScale = [-1, 1]
const PERCENT: ScoreScale = [0, 100]
const AMOUNT: ScoreScale = [0, Number.POSITIVE_INFINITY]

/** The scale of all scores of a metric, by its type. */
const SCALES: Readonly<Record<string, ScoreScale>> = {
  accuracy: SHARE,
  "exact-match": SHARE,
  em: SHARE,
  f1: SHARE,
  rouge: SHARE,
  "string-check": SHARE,
  "number-check": SHARE,
  "json-schema": SHARE,
  "tool-calling": SHARE,
  "tool-call-ast": SHARE,
  "tool-call-turns": SHARE,
  "tool-call-relevance": SHARE,
  "usage-limit": SHARE,
  state: SHARE,
  calls: SHARE,
  "kept-facts": SHARE,
  gsm8k: SHARE,
  math: SHARE,
  ifeval: SHARE,
  "code-execution": SHARE,
  pairwise: SHARE,
  faithfulness: SHARE,
  answer_relevancy: COSINE,
  context_precision: SHARE,
  context_recall: SHARE,
  bleu: PERCENT,
  chrf: PERCENT,
  ter: AMOUNT,
  latency: AMOUNT,
  tokens: AMOUNT,
  cost: AMOUNT,
}
/** Scores of a checklist that it has besides those of its checks. */
const OF_CHECKLIST: ReadonlySet<string> = new Set(["passed", "score"])

/**
 * Returns the scale of a score of a metric. Undefined if it is not known, as for the scores of a service.
 * @param score can be left out if the metric has only one
 */
export function scoreScale({ type, params = {} }: MetricConfig, score?: string): ScoreScale | undefined {
  if (type === "llm-judge") return scaleOfJudge(params["scores"], score)
  if (type === "g-eval") return score === "with_logprobs" ? SHARE : scaleOfGEval(params["scale"])
  if (type === "checklist") return score !== undefined && OF_CHECKLIST.has(score) ? SHARE : undefined
  return Object.hasOwn(SCALES, type) ? SCALES[type] : undefined
}

/** The scale of g-eval without one of its own. */
const OF_G_EVAL: ScoreScale = [1, 5]

function scaleOfGEval(scale: unknown = OF_G_EVAL): ScoreScale | undefined {
  const [low, high] = Array.isArray(scale) ? (scale as readonly unknown[]) : []
  return typeof low === "number" && typeof high === "number" ? [low, high] : undefined
}

function scaleOfJudge(scores: unknown, score: string | undefined): ScoreScale | undefined {
  const definitions = Array.isArray(scores)
    ? scores.map(fieldsOf)
    : Object.entries(fieldsOf(scores)).map(([name, one]) => ({ ...fieldsOf(one), name }))
  const [only, other] = definitions
  const found =
    score === undefined ? (other === undefined ? only : undefined) : definitions.find((one) => one["name"] === score)
  const values = found === undefined ? [] : endsOf(found)
  if (values.length < 2 || !values.every((value) => typeof value === "number")) return undefined
  return [Math.min(...values), Math.max(...values)]
}

/** Returns values of which the lowest and the highest are the ends of the scale of a judge's score. */
function endsOf({ type, range, rubric, ...own }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (type === "boolean") return SHARE
  if (Array.isArray(rubric)) return rubric.map((entry) => fieldsOf(entry)["value"])
  if (isJsonObject(rubric)) return Object.values(rubric)
  return [own["minimum"] ?? fieldsOf(range)["minimum"], own["maximum"] ?? fieldsOf(range)["maximum"]]
}

/** Returns what is wrong with a limit that is outside of a scale, and what was probably meant; undefined for one inside it. */
export function scaleFault(
  gate: { readonly name: string; readonly op: string; readonly value: number },
  scale: ScoreScale | undefined,
): string | undefined {
  const { name, op, value } = gate
  if (scale === undefined || (value >= scale[0] && value <= scale[1])) return undefined
  const [low, high] = scale
  const allowed = high === Number.POSITIVE_INFINITY ? `${low} or more` : `from ${low} to ${high}`
  const isPercent = high === 1 && low === 0 && value > 1 && value <= 100
  const meant = isPercent ? `; write ${name} ${op} ${Number((value / 100).toPrecision(12))}` : ""
  return `the limit ${value} is outside of the scale of '${name}', which is ${allowed}${meant}.`
}

import { fieldsOf } from "@assay/json"
import { type EvaluationConfigBody, isAssayError, type LabelQuestion, scoreScale } from "@assay/schemas"
import { judges, scoreDefinitions, valueText } from "@assay/scoring"
import { isAmount, isHigherBetter, measuresGuardrails } from "../scores/list-scores.ts"

/** Characters of a judge's prompt that are shown. */
const MAX_PROMPT = 8000
const YES = new Set(["yes", "y", "true"])
const NO = new Set(["no", "n", "false"])

/**
 * Returns what a judge is asked for a score, and which labels are possible: people answer the same question on the same scale.
 * @param score `metric.score`
 * @param seen the lowest and the highest score of the job's rows
 */
export function labelQuestion(
  config: Pick<EvaluationConfigBody, "tasks" | "type"> | undefined,
  score: string,
  seen: { readonly low: number; readonly high: number },
): LabelQuestion {
  const found = findMetric(config, score)
  const isShare = found !== undefined && !isAmount(config, found) && seen.low >= 0 && seen.high <= 1
  const higher = found === undefined ? null : isHigherBetter(config, found)
  const unknown = { prompt: null, low: null, high: null, rubric: [], yes: null, no: null, is_higher_better: higher }
  if (found === undefined) return { ...unknown, ...(measuresGuardrails(config) ? mistakeQuestion(score) : {}) }
  const { type, params } = found
  if (type === "g-eval") {
    const [low = null, high = null] = scoreScale({ type, params }, found.score) ?? []
    return { ...unknown, prompt: found.score === "g-eval" ? criterionOf(params) : null, low, high }
  }
  if (type === "pairwise" && found.score === "pairwise") return { ...unknown, ...pairQuestion(params["ask"]) }
  if (type !== "llm-judge") return isShare ? { ...unknown, low: 0, high: 1, yes: 1, no: 0 } : unknown
  return { ...unknown, prompt: promptOf(params["template"]), ...scaleOf(params["scores"], found.score) }
}

/** The meaning of 1 in the scores of a guardrail. */
const MISTAKES: readonly (readonly [score: string, words: string])[] = [
  [".false_block", "wrongly blocked"],
  [".miss", "wrongly passed"],
]

/** A guardrail is not asked whether it is wrong: people are. */
function mistakeQuestion(score: string): Partial<LabelQuestion> {
  const [, words] = MISTAKES.find(([name]) => score.endsWith(name)) ?? []
  if (words === undefined) return {}
  const rubric = [
    { label: words, value: 1 },
    { label: "rightly decided", value: 0 },
  ]
  return { low: 0, high: 1, rubric, yes: 1, no: 0, is_higher_better: false }
}

/** Returns the criterion of a judge with its steps. */
function criterionOf({ criteria, steps }: Readonly<Record<string, unknown>>): string | null {
  if (typeof criteria !== "string") return null
  const listed = Array.isArray(steps) ? steps.map((step, at) => `${at + 1}. ${valueText(step)}`) : []
  return [criteria, ...listed].join("\n").slice(0, MAX_PROMPT)
}

/** The words of the judge: A is the answer of the row. */
function pairQuestion(ask: unknown): Pick<LabelQuestion, "prompt" | "low" | "high" | "rubric"> {
  const rubric = [
    { label: "A", value: 1 },
    { label: "tie", value: 0.5 },
    { label: "B", value: 0 },
  ]
  return { prompt: promptOf(ask) ?? judges.criterion, low: 0, high: 1, rubric }
}

/** The metric of a score, if it is a judge of pairs: its key, and its parameters by task. */
export function pairMetricOf(
  config: Pick<EvaluationConfigBody, "tasks"> | undefined,
  score: string,
  task: string,
): { readonly key: string; readonly params: Readonly<Record<string, unknown>> } | undefined {
  const ofTask = config?.tasks?.[task]
  const found = ofTask === undefined ? undefined : findMetric({ tasks: { [task]: ofTask } }, score)
  return found?.type === "pairwise" ? { key: found.metric, params: found.params } : undefined
}

interface FoundMetric {
  readonly task: string
  readonly metric: string
  readonly score: string
  readonly type: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Finds the first task with the metric, also at a turn of a conversation. Names of metrics and of scores can contain dots. */
function findMetric(config: Pick<EvaluationConfigBody, "tasks"> | undefined, name: string): FoundMetric | undefined {
  for (const [task, { metrics = {}, params: ofTask }] of Object.entries(config?.tasks ?? {})) {
    const turns = ofTask?.conversation?.turns
    const ofTurns = Array.isArray(turns) ? turns.flatMap(({ metrics: own = {} }) => Object.entries(own)) : []
    for (const [metric, { type, params = {} }] of [...Object.entries(metrics), ...ofTurns]) {
      // The score of the second turn is `polite@2.yes`.
      const key = name.startsWith(`${metric}@`) ? (/^@\d+/u.exec(name.slice(metric.length))?.[0] ?? "") : ""
      const start = `${metric}${key}.`
      if (!name.startsWith(start)) continue
      return { task, metric, score: name.slice(start.length), type, params: fieldsOf(params) }
    }
  }
  return undefined
}

type Scale = Pick<LabelQuestion, "low" | "high" | "rubric" | "yes" | "no">

function scaleOf(scores: unknown, name: string): Scale {
  const none: Scale = { low: null, high: null, rubric: [], yes: null, no: null }
  const definition = definitionsOf(scores).find((one) => one.name === name)?.definition
  if (definition === undefined) return none
  const { type, minimum = null, maximum = null } = definition
  if (type === "boolean") return { ...none, low: 0, high: 1, yes: 1, no: 0 }
  if (type !== "rubric") {
    const words = minimum === 0 && maximum === 1 ? { yes: 1, no: 0 } : {}
    return { ...none, low: minimum, high: maximum, ...words }
  }
  const rubric = rubricOf(definition.rubric)
  const values = rubric.map(({ value }) => value)
  const valueOf = (words: ReadonlySet<string>) =>
    rubric.find(({ label }) => words.has(label.trim().toLowerCase()))?.value ?? null
  const low = Math.min(...values)
  const high = Math.max(...values)
  // Other words, even for 1 and 0, do not mean yes and no: 1 can be the "kind" of the question "Is it rude?".
  return { low, high, rubric: [...rubric], yes: valueOf(YES), no: valueOf(NO) }
}

/** Jobs of older versions can have definitions that are refused today: their scale is not known. */
function definitionsOf(scores: unknown): ReturnType<typeof scoreDefinitions> {
  try {
    return scoreDefinitions(scores, "scores")
  } catch (error) {
    if (!isAssayError(error)) throw error
    return []
  }
}

function rubricOf(rubric: unknown): LabelQuestion["rubric"] {
  const entries = Array.isArray(rubric)
    ? rubric.map((one) => fieldsOf(one)).map(({ label, value }) => ({ label, value }))
    : Object.entries(fieldsOf(rubric)).map(([label, value]) => ({ label, value }))
  return entries.map(({ label, value }) => ({ label: valueText(label), value: Number(value) }))
}

function promptOf(template: unknown): string | null {
  if (typeof template === "string") return template.slice(0, MAX_PROMPT)
  const { messages, prompt } = fieldsOf(template)
  if (typeof prompt === "string") return prompt.slice(0, MAX_PROMPT)
  if (!Array.isArray(messages)) return null
  const texts = messages
    .map((one) => fieldsOf(one))
    .map(({ role, content }) => `${valueText(role)}: ${contentOf(content)}`)
  return texts.join("\n\n").slice(0, MAX_PROMPT)
}

function contentOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "")
}

/** Returns the label that a word or a number means: a number, a label of the rubric, or yes and no as the judge means them. Undefined for anything else. */
export function parseLabel(value: unknown, question: LabelQuestion): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  if (typeof value === "boolean") return (value ? question.yes : question.no) ?? undefined
  if (typeof value !== "string" || value.trim() === "") return undefined
  const word = value.trim().toLowerCase()
  const named = question.rubric.find(({ label }) => label.trim().toLowerCase() === word)
  if (named !== undefined) return named.value
  if (YES.has(word)) return question.yes ?? undefined
  if (NO.has(word)) return question.no ?? undefined
  return parseLabel(Number(word), question)
}

/** Returns in words which labels are possible, for messages. */
export function formatScale({ low, high, rubric, yes, no }: LabelQuestion): string {
  const named = rubric.map(({ label, value }) => `${value} (${label})`)
  if (named.length > 0) return named.join(", ")
  const words = yes === null || no === null ? "" : ` (yes is ${yes}, no is ${no})`
  if (low === null && high === null) return "any number"
  if (low === null || high === null) return low === null ? `a number of at most ${high}` : `a number of at least ${low}`
  return `a number from ${low} to ${high}${words}`
}

/** Returns whether a label is on the scale of the score. */
export function isOnScale(label: number, { low, high }: Pick<LabelQuestion, "low" | "high">): boolean {
  return label >= (low ?? -Infinity) && label <= (high ?? Infinity)
}

/** The labels that are possible for a score. */
export const labelScale = Object.freeze({ parse: parseLabel, includes: isOnScale, format: formatScale })

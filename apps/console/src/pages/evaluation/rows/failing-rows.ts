import { fieldsOf } from "@assay/json"
import type { RowFilters } from "@assay/client"
import type { EvaluationConfigBody, EvaluationTask, MetricConfig, ScoredRow } from "@assay/schemas"
import type { RowSource } from "../../../table/row-source.ts"

/** The limit of a score: a row fails that does not keep it. */
export interface RowLimit {
  /** The name of the score, as `metric.score`. */
  readonly score: string
  readonly op: ">=" | "<="
  readonly value: number
}

/** Metrics whose scores are 0 or 1, where 0 is a failure. */
const BINARY = new Set([
  "accuracy",
  "exact-match",
  "em",
  "string-check",
  "number-check",
  "json-schema",
  "tool-calling",
  "tool-call-ast",
  "state",
  "usage-limit",
  "gsm8k",
  "math",
])

/** Metrics that say nothing about the answer. */
const AMOUNTS = new Set(["latency", "tokens", "cost"])

/**
 * Returns the limits of the scores that decide. In a task with gates on scores of rows, these alone decide: with the limits of their gates, or 1 if
 * a gate has no limit for a row. In any other task, scores that are 0 or 1 decide, and have to be 1. Gates on time, tokens and cost say nothing
 * about answers, and leave the other scores as they are.
 * @param scores the scores that rows have, as `metric.score`
 * @param task only its gates and metrics count; undefined: those of all tasks
 */
export function rowLimits(
  { tasks = {}, params = {} }: Pick<EvaluationConfigBody, "tasks" | "params">,
  scores: readonly string[],
  task?: string,
): readonly RowLimit[] {
  const gates = (params.gates ?? []).filter((gate) => task === undefined || gate.task === task)
  const isGated = (key: string, name: string) => gates.some((gate) => gate.task === key && names(gate, name))
  const isAmount = (key: string, name: string) =>
    metricsOfScore(tasks, name, key).some(([{ type }]) => AMOUNTS.has(type))
  const gated = new Set(
    Object.keys(tasks).filter((key) => scores.some((name) => isGated(key, name) && !isAmount(key, name))),
  )
  return scores.flatMap((name): readonly RowLimit[] => {
    const limits = gates.flatMap((gate) => {
      const { op, value } = gate
      return names(gate, name) && op !== undefined && value !== undefined ? [{ score: name, op, value }] : []
    })
    if (limits.length > 0) return limits
    const deciding = Object.fromEntries(
      // A turn of a conversation belongs to the metric of its name.
      Object.entries(tasks).filter(([key]) => !gated.has(key) || isGated(key, name.replace(TURN_OF_SCORE, "."))),
    )
    return isZeroOrOne({ tasks: deciding }, name, task) ? [{ score: name, op: ">=", value: 1 }] : []
  })
}

type Gate = NonNullable<NonNullable<EvaluationConfigBody["params"]>["gates"]>[number]

/** Returns whether a gate is about a score of rows. */
function names({ metric, score }: Pick<Gate, "metric" | "score">, name: string): boolean {
  return score === undefined ? metricOf(name) === metric : `${metric}.${score}` === name
}

/** Returns whether a score of rows is 0 or 1. @param task only its metrics count; undefined: those of all tasks */
function isZeroOrOne({ tasks = {} }: Pick<EvaluationConfigBody, "tasks">, name: string, task?: string): boolean {
  return metricsOfScore(tasks, name, task).some(([config, score]) => isBinaryScore(config, score))
}

/** Returns whether a score of rows has no decimals: it is 0 or 1, or a judge gives whole numbers. */
export function isWholeScore(config: Pick<EvaluationConfigBody, "tasks">, name: string): boolean {
  if (isZeroOrOne(config, name)) return true
  return metricsOfScore(config.tasks ?? {}, name).some(([metric, score]) => {
    const { type } = definitionOf(metric, score)
    return type === "int" || (metric.type === "llm-judge" && isEvery(rubricValues(metric, score), Number.isInteger))
  })
}

/** Returns the metrics that give a score, each with the name that it has there. */
function metricsOfScore(
  tasks: NonNullable<EvaluationConfigBody["tasks"]>,
  name: string,
  task?: string,
): readonly (readonly [MetricConfig, string])[] {
  const metric = metricOf(name)
  return Object.entries(tasks)
    .flatMap(([key, one]) => (task === undefined || key === task ? metricsOfTask(one) : []))
    .filter(([key]) => key === metric || key === metric.replace(TURN, ""))
    .map(([, config]) => [config, name.slice(metric.length + 1)])
}

const TURN = /@[1-9]\d*$/u
const TURN_OF_SCORE = /@[1-9]\d*\.(?=[^.]*$)/u

/** Returns whether a metric is about one turn of a conversation, such as `contains@2`. */
export function isOfTurn(metric: string): boolean {
  return TURN.test(metric)
}

/** Returns the metrics of a task, also those of the turns of a conversation. */
function metricsOfTask({ metrics = {}, params }: EvaluationTask): readonly (readonly [string, MetricConfig])[] {
  const turns = params?.conversation?.turns
  const ofTurns = Array.isArray(turns) ? turns.flatMap(({ metrics: own = {} }) => Object.entries(own)) : []
  return [...Object.entries(metrics), ...ofTurns]
}

/** Names of metrics can contain dots; those of scores can't. */
function metricOf(name: string): string {
  const end = name.lastIndexOf(".")
  return end === -1 ? name : name.slice(0, end)
}

function isBinaryScore(metric: MetricConfig, score: string): boolean {
  const { type, params = {} } = metric
  // Precision and recall of calls are shares.
  if (type === "calls") return !("precision" in params || "recall" in params)
  if (type !== "llm-judge") return BINARY.has(type)
  if (definitionOf(metric, score)["type"] === "boolean") return true
  return isEvery(rubricValues(metric, score), (value) => value === 0 || value === 1)
}

/** Returns the definition of a judge's score. */
function definitionOf({ params = {} }: MetricConfig, score: string): Readonly<Record<string, unknown>> {
  const definitions = params["scores"]
  const list = Array.isArray(definitions) ? definitions.map(fieldsOf) : []
  return list.find(({ name }) => name === score) ?? fieldsOf(fieldsOf(definitions)[score])
}

function rubricValues(metric: MetricConfig, score: string): readonly unknown[] {
  const { rubric } = definitionOf(metric, score)
  return Array.isArray(rubric) ? rubric.map((entry) => fieldsOf(entry)["value"]) : Object.values(fieldsOf(rubric))
}

function isEvery(values: readonly unknown[], isOne: (value: unknown) => boolean): boolean {
  return values.length > 0 && values.every(isOne)
}

/** Returns why a row fails: its error, or the scores that do not keep their limits. Empty: it does not fail. */
export function failuresOf(
  { error, scores }: Pick<ScoredRow, "error" | "scores">,
  limits: readonly RowLimit[],
): readonly string[] {
  const missed = limits.filter(({ score, op, value }) => {
    const metric = metricOf(score)
    const found = scores[metric]?.[score.slice(metric.length + 1)]
    return typeof found === "number" && (op === ">=" ? found < value : found > value)
  })
  return [...(error === null ? [] : [error.code]), ...new Set(missed.map(({ score }) => score))]
}

/** Returns the filters of rows that fail. */
export function failingFilters(limits: readonly RowLimit[]): RowFilters {
  const filters: Record<string, Record<string, string>> = { "any:error": { $nin: "null" } }
  for (const { score, op, value } of limits) {
    const field = `any:score:${score}`
    const operator = op === ">=" ? "$lt" : "$gt"
    const known = filters[field]?.[operator]
    // Of two limits of one score, the stricter one decides.
    const strictest = known === undefined ? value : Math[op === ">=" ? "max" : "min"](Number(known), value)
    filters[field] = { ...filters[field], [operator]: String(strictest) }
  }
  return filters
}

/** Rows that are looked at for the next failing one. */
export const MAX_LOOKED = 5000
const STEP = 100

/**
 * Finds the next row that fails, from `start` in steps of 1 or -1. Returns its position, or undefined if none of the next 5,000 rows fails.
 */
export async function findFailing(
  rows: Pick<RowSource<ScoredRow>, "read" | "total">,
  { start, step, limits }: { readonly start: number; readonly step: 1 | -1; readonly limits: readonly RowLimit[] },
): Promise<number | undefined> {
  const first = start + step
  const end = step === 1 ? Math.min(rows.total, first + MAX_LOOKED) : Math.max(-1, first - MAX_LOOKED)
  for (let at = first; step === 1 ? at < end : at > end;) {
    // Whole pages, which the table shares.
    const page = Math.floor(at / STEP) * STEP
    const read = await rows.read(page, Math.min(page + STEP, rows.total))
    for (; at >= page && at < page + read.length && at !== end; at += step) {
      const row = read[at - page]
      if (row !== undefined && failuresOf(row, limits).length > 0) return at
    }
    // A job whose rows were removed meanwhile.
    if (at >= page + read.length && read.length < STEP) return undefined
  }
  return undefined
}

import { fieldsOf, listOf } from "@assay/json"
import type { MetricConfig } from "@assay/schemas"
import type { ImportNotes } from "../output/import-notes.ts"
import type { LmEvalTask } from "./read-task.ts"
import { valueText } from "@assay/scoring"

type Metrics = Record<string, MetricConfig>

interface MetricSource {
  readonly task: LmEvalTask
  readonly notes: ImportNotes
  /** The template of the right answer. */
  readonly target: unknown
}

/** Metrics of choices and of texts, by the type of output. */
const LIKELIHOOD: Readonly<Record<string, readonly string[]>> = {
  multiple_choice: ["acc", "acc_norm", "acc_bytes"],
  loglikelihood: ["acc", "perplexity"],
  loglikelihood_rolling: ["word_perplexity", "byte_perplexity", "bits_per_byte"],
}

/** Maps the metrics of a task whose texts are scored by their likelihood. */
export function likelihoodMetrics(output: string, { task, notes }: MetricSource): Metrics {
  const known = LIKELIHOOD[output] ?? []
  const type = output === "multiple_choice" ? "multiple-choice" : "loglikelihood"
  for (const { name, location } of metricsOf(task)) {
    if (known.includes(name)) notes.add({ location, part: name, outcome: "mapped", detail: `${type}, score ${name}` })
    else notes.add({ location, part: name, outcome: "left out", detail: `it is not a score of ${type}` })
  }
  return { [type]: { type } }
}

/** Maps the metrics of a task whose answers are written, for each list of filters. */
export function textMetrics({ task, notes, target }: MetricSource): Metrics {
  const metrics: Metrics = {}
  for (const { name: list, steps } of filtersOf(task)) {
    const location = task.locationOf("filter_list")
    const candidate = candidateOf(steps)
    if (candidate === undefined) {
      const detail =
        "its filters have no equal; compare numbers with 'number-check', or extract with a judge or 'remote'"
      notes.add({ location, part: `filter ${list}`, outcome: "left out", detail })
      continue
    }
    for (const one of metricsOf(task)) {
      const mapped = mapMetric(one, candidate, target)
      const part = list === "none" ? one.name : `${one.name}, ${list}`
      if ("leftOut" in mapped) notes.add({ location: one.location, part, outcome: "left out", detail: mapped.leftOut })
      else {
        const { difference = candidate.difference } = mapped
        const outcome = difference === undefined ? "mapped" : "changed"
        notes.add({
          location: one.location,
          part,
          outcome,
          detail: `${mapped.metric.type}${difference === undefined ? "" : `: ${difference}`}`,
        })
        metrics[part.replaceAll(/[^\w-]+/g, "-")] = mapped.metric
      }
    }
  }
  return metrics
}

interface NamedMetric {
  readonly name: string
  readonly options: Readonly<Record<string, unknown>>
  readonly location: string
}

/** Returns the metrics that a task names; those of its type of output if it names none. */
function metricsOf(task: LmEvalTask): readonly NamedMetric[] {
  const { metric_list: list, output_type: output = "generate_until" } = task.fields
  const location = task.locationOf("metric_list")
  const names = output === "generate_until" ? ["exact_match"] : (LIKELIHOOD[String(output)] ?? [])
  if (list === undefined) return names.map((name) => ({ name, options: {}, location: task.locationOf("output_type") }))
  return listOf(list).map((one) => {
    const { metric, ...options } = fieldsOf(one)
    return { name: typeof metric === "string" ? metric : "without name", options, location }
  })
}

/** The text that is compared. */
interface Candidate {
  readonly template: string
  /** Whether its last number is compared. */
  readonly isNumber: boolean
  readonly difference?: string
}

function filtersOf({ fields }: LmEvalTask): readonly { readonly name: string; readonly steps: readonly unknown[] }[] {
  const lists = listOf(fields["filter_list"])
  if (lists.length === 0) return [{ name: "none", steps: [] }]
  return lists.map((one) => {
    const { name, filter } = fieldsOf(one)
    return { name: typeof name === "string" ? name : "none", steps: listOf(filter) }
  })
}

/** Filters of the harness, as filters of Jinja. */
const FILTERS: Readonly<Record<string, string>> = { lowercase: "lower", uppercase: "upper", remove_whitespace: "trim" }

/** Returns the candidate after filters; undefined if one of them has no equal. */
function candidateOf(steps: readonly unknown[]): Candidate | undefined {
  let template = "sample.output_text"
  let isNumber = false
  for (const step of steps) {
    const { function: name, regex_pattern: pattern, group_select: group } = fieldsOf(step)
    if (name === "take_first") continue
    if (typeof name === "string" && Object.hasOwn(FILTERS, name)) template = `${template} | ${FILTERS[name]}`
    else if (name === "regex" && group === -1 && isNumberPattern(pattern)) isNumber = true
    else return undefined
  }
  if (!isNumber) return { template, isNumber }
  return { template, isNumber, difference: "the last number of the answer, as 'number-check' reads numbers" }
}

/** Returns whether a pattern finds numbers anywhere, so that its last match is the last number. */
function isNumberPattern(pattern: unknown): boolean {
  return (
    typeof pattern === "string" &&
    /\[[^\]]*0-9[^\]]*\]|\\d/.test(pattern) &&
    !/[A-Za-z#^]{2,}/.test(pattern.replaceAll(/\[[^\]]*\]|\\[a-z]/g, ""))
  )
}

type MappedMetric = { readonly metric: MetricConfig; readonly difference?: string } | { readonly leftOut: string }

function mapMetric({ name, options }: NamedMetric, { template, isNumber }: Candidate, target: unknown): MappedMetric {
  const own = `{{ ${template} }}`
  const right = valueText(target)
  if (name === "exact_match" && isNumber)
    return { metric: { type: "number-check", params: { check: [own, "==", right] } } }
  if (isNumber) return { leftOut: "it is not compared with a number" }
  switch (name) {
    case "exact_match":
      return exactMatch(own, right, options)
    case "bleu":
    case "chrf":
    case "ter":
      return { metric: { type: name, params: { candidate: own, references: right } } }
    default:
      return { leftOut: "there is no metric that computes the same" }
  }
}

function exactMatch(own: string, right: string, options: NamedMetric["options"]): MappedMetric {
  const { ignore_case: isLowered, ignore_punctuation: isBare, regexes_to_ignore: ignored } = options
  if (isBare === true || ignored !== undefined) {
    const difference = "case, punctuation and English articles do not count"
    return { metric: { type: "em", params: { candidate: own, ground_truth: right } }, difference }
  }
  if (isLowered !== true) return { metric: { type: "string-check", params: { check: [own, "equals", right] } } }
  const lowered = own.replace(/ \}\}$/, " | lower }}")
  const isExpression = /^\{\{[^{}]*\}\}$/.test(right)
  if (!isExpression)
    return {
      metric: { type: "em", params: { candidate: own, ground_truth: right } },
      difference: "articles and punctuation do not count",
    }
  const expected = right.replace(/\s*\}\}$/, " | lower }}")
  return { metric: { type: "string-check", params: { check: [lowered, "equals", expected] } } }
}

import { fieldsOf, isObject } from "@assay/json"
import { weightedMeanOf } from "@assay/metrics"
import { invalidRequest, misspeltName, type ScoreValue } from "@assay/schemas"
import { valueText } from "../rows/value-text.ts"
import { type RowTemplate, fieldsOfTemplates } from "../templates/row-template.ts"
import type { BoundMetric, MetricOutcome, ScoreInput, ScoreOptions } from "./bound-metric.ts"
import { holds } from "./conditional-metric.ts"
import type { DefineMetric, MetricDefinition, MetricSetup } from "./metric-definition.ts"
import { flagOf, optionalTemplate, templateOf } from "./metric-templates.ts"

/** A metric with the limits that its score must keep. */
interface Check {
  readonly name: string
  readonly metric: MetricDefinition
  readonly when: RowTemplate | undefined
  readonly isInverse: boolean
  readonly weight: number
  /** The lowest and the highest value that passes, by score. */
  readonly limits: readonly { readonly score: string; readonly low: number; readonly high: number }[]
  /** The score whose value counts. Undefined: 1 if the check passes, else 0. */
  readonly counts: string | undefined
}

const OPTIONS = ["type", "params", "when", "not", "weight", "at_least", "at_most", "counts"]
const MAX_CHECKS = 100

/**
 * `checklist`: 1 as `passed` if each of `checks` that applies to the row passes, else 0, and the weighted mean of the checks as `score`. With a
 * `threshold`, `passed` means that the mean is at least that. Each check is a metric; it passes if its score keeps `at_least` (default 1)
 * or `at_most`, with `not: true` if it does not. A check of weight 0 is scored and decides nothing. A check without a number, such as an
 * unreadable judge, leaves `passed` without one.
 * @param define defines the metric of a check
 */
export function checklistMetric(setup: MetricSetup, define: DefineMetric): MetricDefinition {
  const checks = readChecks(setup, define)
  const threshold = optionalTemplate(setup, ["threshold"])
  const scores = ["passed", "score", ...checks.map(({ name }) => name)]
  const all = checks.map(({ metric }) => metric)
  const templates = [threshold, ...checks.map(({ when }) => when)].filter((one) => one !== undefined)
  const slow = all.filter(({ check }) => check !== undefined)
  const asking = checks.filter(({ metric }) => metric.renderRequests !== undefined)
  return {
    key: setup.key,
    type: setup.type,
    scores,
    fields: [...all.flatMap(({ fields }) => fields), ...fieldsOfTemplates(templates)],
    readsOutput: all.some(({ readsOutput }) => readsOutput),
    endpoints: all.flatMap(({ endpoints }) => endpoints),
    ...(slow.length === 0
      ? {}
      : {
          check: async (environment, signal) => {
            for (const metric of slow) await metric.check?.(environment, signal)
          },
        }),
    ...(asking.length === 0
      ? {}
      : {
          renderRequests: (input, steps) =>
            asking
              .filter((one) => applies(one, input))
              .flatMap(({ metric }) => metric.renderRequests?.(input, steps) ?? []),
        }),
    async bind(context) {
      const bound = await Promise.all(
        checks.map(async (check) => ({ check, metric: await check.metric.bind(context) })),
      )
      const isPlain = checks.every(({ counts }) => counts === undefined)
      return {
        key: setup.key,
        type: setup.type,
        scores,
        ...(isPlain ? { ranges: { score: [0, 1] } } : {}),
        isRemote: bound.some(({ metric }) => metric.isRemote),
        score: (input, options) => scoreChecks(bound, { input, options, threshold }),
      }
    },
  }
}

function applies({ when }: Check, input: ScoreInput): boolean {
  return when === undefined || holds(when, input)
}

interface RowToCheck {
  readonly input: ScoreInput
  readonly options: ScoreOptions
  readonly threshold: RowTemplate | undefined
}

/** Scores the checks of a row one after the other. */
async function scoreChecks(
  checks: readonly { readonly check: Check; readonly metric: BoundMetric }[],
  { input, options, threshold }: RowToCheck,
): Promise<MetricOutcome> {
  const scores: Record<string, ScoreValue> = {}
  let unreadable: MetricOutcome["unreadable"]
  const values: number[] = []
  const weights: number[] = []
  let areAllPassed = true
  let hasScore = false
  for (const { check, metric } of checks) {
    if (!applies(check, input)) continue
    const outcome = await metric.score(input, options)
    const result = resultOf(check, outcome)
    if (result === undefined) continue
    hasScore = true
    unreadable ??= outcome.unreadable
    scores[check.name] = result.passed
    if (check.weight === 0) continue
    values.push(result.counted)
    weights.push(check.weight)
    if (result.passed !== 1) areAllPassed = false
  }
  if (!hasScore) return { scores: {} }
  const mean = weights.length === 0 ? 0 : weightedMeanOf(values, weights)
  const limit = limitOf(threshold, input)
  const passed = limit === undefined ? areAllPassed : mean >= limit
  const isKnown = !Number.isNaN(mean)
  return {
    scores: { passed: isKnown ? (passed ? 1 : 0) : "NaN", score: isKnown ? mean : "NaN", ...scores },
    ...(unreadable === undefined ? {} : { unreadable }),
  }
}

/** Returns whether a check passes, and the value that counts. Undefined: the metric does not apply to the row. */
function resultOf(
  { isInverse, limits, counts }: Check,
  { scores }: MetricOutcome,
): { readonly passed: ScoreValue; readonly counted: number } | undefined {
  const values = limits.map(({ score }) => scores[score])
  if (values.every((value) => value === undefined)) return undefined
  const numbers = values.map((value) => Number(value ?? "NaN"))
  if (numbers.some((value) => Number.isNaN(value))) return { passed: "NaN", counted: Number.NaN }
  const isWithin = limits.every(({ low, high }, at) => {
    const value = numbers[at] ?? Number.NaN
    return value >= low && value <= high
  })
  const passed = isWithin === isInverse ? 0 : 1
  if (counts === undefined) return { passed, counted: passed }
  const counted = Number(scores[counts] ?? "NaN")
  return { passed, counted: isInverse ? 1 - counted : counted }
}

function limitOf(threshold: RowTemplate | undefined, input: ScoreInput): number | undefined {
  const value = threshold?.evaluate(input)
  if (value === undefined || value === null || value === "") return undefined
  const number = Number(value)
  return Number.isNaN(number) ? undefined : number
}

/** Reads `checks`. @throws `invalid_request`, `template_error` that name the check */
function readChecks(setup: MetricSetup, define: DefineMetric): readonly Check[] {
  const { params, name } = setup
  const { checks } = params
  const path = [...name.split("."), "checks"]
  if (!isObject(checks) || Object.keys(checks).length === 0) {
    const form = 'write {"polite": {"type": "string-check", "params": {…}}}.'
    throw invalidRequest(path, `has no checks; ${form}`, "missing", checks)
  }
  const entries = Object.entries(checks)
  if (entries.length > MAX_CHECKS) {
    throw invalidRequest(path, `has ${entries.length} checks; the limit is ${MAX_CHECKS}.`, "too_long")
  }
  return entries.map(([key, value]) => readCheck(key, { given: fieldsOf(value), setup, define }))
}

interface GivenCheck {
  readonly given: Readonly<Record<string, unknown>>
  readonly setup: MetricSetup
  readonly define: DefineMetric
}

function readCheck(name: string, { given, setup, define }: GivenCheck): Check {
  const location = `${setup.name}.checks.${name}`
  const path = location.split(".")
  if (name === "passed" || name === "score") {
    throw invalidRequest(path, `'${name}' is a score of the whole list; give the check another name.`, "value_error")
  }
  const unknown = Object.keys(given).find((key) => !OPTIONS.includes(key))
  if (unknown !== undefined) {
    const meant = misspeltName(unknown, OPTIONS)
    const advice = meant === undefined ? `use ${OPTIONS.join(", ")}` : `did you mean '${meant}'?`
    throw invalidRequest([...path, unknown], `'${unknown}' is not an option of a check; ${advice}`, "extra_forbidden")
  }
  const { type } = given
  if (typeof type !== "string") throw invalidRequest([...path, "type"], "is missing; name a metric.", "missing", type)
  const { run, references } = setup
  const metric = define({
    key: name,
    type,
    params: fieldsOf(given["params"]),
    name: `${location}.params`,
    run,
    references,
  })
  const own = { params: given, name: location, key: name, type, run }
  const { when, weight = 1, counts } = given
  if (typeof weight !== "number" || !(weight >= 0)) {
    throw invalidRequest([...path, "weight"], "is not a number from 0.", "number", weight)
  }
  const counted = counts === undefined ? undefined : valueText(counts)
  if (counted !== undefined && !metric.scores.includes(counted)) throw unknownScore([...path, "counts"], metric, counts)
  return {
    name,
    metric,
    when: when === undefined ? undefined : templateOf(when, `${location}.when`),
    isInverse: flagOf(own, "not"),
    weight,
    limits: limitsOf(given, metric, path),
    counts: counted,
  }
}

function limitsOf(given: GivenCheck["given"], metric: MetricDefinition, path: readonly string[]): Check["limits"] {
  const [first = ""] = metric.scores
  const byScore = (key: string): ReadonlyMap<string, number> => {
    const value = given[key]
    const entries = isObject(value) ? Object.entries(value) : value === undefined ? [] : [[first, value] as const]
    return new Map(
      entries.map(([score, limit]) => {
        if (!metric.scores.includes(score)) throw unknownScore([...path, key], metric, score)
        if (typeof limit !== "number") throw invalidRequest([...path, key], "is not a number.", "number", limit)
        return [score, limit]
      }),
    )
  }
  const least = byScore("at_least")
  const most = byScore("at_most")
  const names = new Set([...least.keys(), ...most.keys()])
  if (names.size === 0) return [{ score: first, low: 1, high: Number.POSITIVE_INFINITY }]
  return [...names].map((score) => ({
    score,
    low: least.get(score) ?? Number.NEGATIVE_INFINITY,
    high: most.get(score) ?? Number.POSITIVE_INFINITY,
  }))
}

function unknownScore(path: readonly string[], { type, scores }: MetricDefinition, given: unknown): Error {
  return invalidRequest(
    path,
    `'${valueText(given)}' is not a score of ${type}; use one of ${scores.join(", ")}.`,
    "enum",
    given,
  )
}

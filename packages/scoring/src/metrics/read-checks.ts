import { fieldsOf, isObject } from "@assay/json"
import { invalidRequest, misspeltName } from "@assay/schemas"
import { valueText } from "../rows/value-text.ts"
import type { RowTemplate } from "../templates/row-template.ts"
import type { DefineMetric, MetricDefinition, MetricSetup } from "./metric-definition.ts"
import { flagOf, templateOf } from "./metric-templates.ts"

/** A metric with the limits that its score must keep. */
export interface Check {
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

/** Reads `checks`. @throws `invalid_request`, `template_error` that name the check */
export function readChecks(setup: MetricSetup, define: DefineMetric): readonly Check[] {
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

import { weightedMeanOf } from "@assay/metrics"
import type { ScoreValue } from "@assay/schemas"
import { type RowTemplate, fieldsOfTemplates } from "../templates/row-template.ts"
import type { BoundMetric, MetricOutcome, ScoreInput, ScoreOptions } from "./bound-metric.ts"
import { holds } from "./conditional-metric.ts"
import type { DefineMetric, MetricDefinition, MetricSetup } from "./metric-definition.ts"
import { optionalTemplate } from "./metric-templates.ts"
import { type Check, readChecks } from "./read-checks.ts"

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

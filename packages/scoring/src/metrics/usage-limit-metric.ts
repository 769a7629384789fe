import { invalidRequest, type EvaluationSample } from "@assay/schemas"
import type { MetricOutcome } from "./bound-metric.ts"
import type { DefineMetric, MetricSetup } from "./metric-definition.ts"
import { costOfUsage, tokenPrices } from "./token-prices.ts"

const SCORES = ["within-limit"]
const MEASURES = ["latency_ms", "cost", "prompt_tokens", "completion_tokens", "total_tokens"] as const
type Measure = (typeof MEASURES)[number]

/**
 * `usage-limit`: 1 if `measure` of a row is below `less_than`, or not above `at_most`, else 0. Its mean is the share of rows within the limit.
 * Measures are `latency_ms`, `cost`, `prompt_tokens`, `completion_tokens` and `total_tokens`. A cost needs prices, as of the metric `cost`.
 * A row without the measure has no score.
 */
export const usageLimitMetric: DefineMetric = (setup) => {
  const { key, type } = setup
  const measure = measureOf(setup)
  const isWithin = limitOf(setup)
  const prices = measure === "cost" ? tokenPrices(setup) : undefined
  const score = (value: number | null | undefined): MetricOutcome => ({
    scores: { "within-limit": value === null || value === undefined ? "NaN" : Number(isWithin(value)) },
  })
  const definition = { key, type, scores: SCORES, fields: [], readsOutput: false, endpoints: [] }
  const bound = { key, type, scores: SCORES, isRemote: false, ranges: { "within-limit": [0, 1] as const } }
  if (measure !== "cost" || prices === undefined) {
    const read = (sample: EvaluationSample) =>
      measure === "latency_ms" ? sample.latency_ms : measure === "cost" ? undefined : sample.usage?.[measure]
    return { ...definition, bind: () => Promise.resolve({ ...bound, score: ({ sample }) => score(read(sample)) }) }
  }
  return {
    ...definition,
    check: async (environment) => void prices.of(environment),
    async bind({ environment }) {
      const price = prices.of(environment)
      return { ...bound, score: ({ sample }) => score(costOfUsage(sample.usage, price)) }
    },
  }
}

function measureOf({ params, name }: MetricSetup): Measure {
  const { measure } = params
  const known = MEASURES.find((one) => one === measure)
  if (known !== undefined) return known
  const message = `is ${JSON.stringify(measure)}; use ${MEASURES.join(", ")}.`
  throw invalidRequest([...name.split("."), "measure"], message, "enum", measure)
}

/** Reads `less_than` or `at_most`. @throws `invalid_request` unless exactly one of them is a number */
function limitOf({ params, name }: MetricSetup): (value: number) => boolean {
  const { less_than: below, at_most: most } = params
  if (typeof below === "number" && most === undefined) return (value) => value < below
  if (typeof most === "number" && below === undefined) return (value) => value <= most
  const message = "needs one limit, as a number: less_than or at_most."
  throw invalidRequest([...name.split("."), "less_than"], message, "missing")
}

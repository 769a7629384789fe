import { invalidRequest } from "@assay/schemas"
import type { DefineMetric, MetricSetup } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"

const MILLION = 1_000_000

/** `cost`: of the tokens of a row, at `prompt_price` and `completion_price` for a million of them, in the currency of these. */
export const costMetric: DefineMetric = (setup) => {
  const [prompt, completion] = [price(setup, "prompt_price"), price(setup, "completion_price")]
  return plainMetric(setup, {
    scores: ["cost"],
    isAmount: true,
    templates: [],
    score: ({ sample: { usage } }) => ({
      scores: {
        cost: usage === null ? "NaN" : (usage.prompt_tokens * prompt + usage.completion_tokens * completion) / MILLION,
      },
    }),
  })
}

function price({ params, name }: MetricSetup, key: string): number {
  const value = params[key]
  if (typeof value === "number" && value >= 0) return value
  throw invalidRequest(
    [...name.split("."), key],
    `is ${JSON.stringify(value)}; give the price of a million tokens.`,
    "number",
    value,
  )
}

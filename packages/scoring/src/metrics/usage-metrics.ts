import { costOfTokens, invalidRequest, type TokenPrice, type TokenUsage } from "@assay/schemas"
import { plainMetric, type DefineMetric, type MetricSetup } from "./metric-definition.ts"

/** `latency`: milliseconds from the first attempt of a request to the end of its answer. */
export const latencyMetric: DefineMetric = (setup) =>
  plainMetric(setup, {
    scores: ["latency_ms"],
    isAmount: true,
    templates: [],
    score: ({ sample }) => ({ scores: { latency_ms: sample.latency_ms ?? "NaN" } }),
  })

/** `tokens`: the number of tokens of the prompt and of the answer, as the endpoint counts them. */
export const tokensMetric: DefineMetric = (setup) =>
  plainMetric(setup, {
    scores: ["prompt_tokens", "completion_tokens", "total_tokens"],
    isAmount: true,
    templates: [],
    score: ({ sample: { usage } }) => ({
      scores: {
        prompt_tokens: usage?.prompt_tokens ?? "NaN",
        completion_tokens: usage?.completion_tokens ?? "NaN",
        total_tokens: usage?.total_tokens ?? "NaN",
      },
    }),
  })

/** `cost`: the cost of a row's tokens at `prompt_price` and `completion_price`, each for a million tokens, in any currency. */
export const costMetric: DefineMetric = (setup) => {
  const price = { prompt_price: priceOf(setup, "prompt_price"), completion_price: priceOf(setup, "completion_price") }
  return plainMetric(setup, {
    scores: ["cost"],
    isAmount: true,
    templates: [],
    score: ({ sample: { usage } }) => ({
      scores: {
        cost: costOfUsage(usage, price) ?? "NaN",
      },
    }),
  })
}

/** Returns what an answer costs. Undefined: the endpoint does not say how many tokens of each kind it used. */
function costOfUsage(usage: TokenUsage | null, price: TokenPrice): number | undefined {
  const { prompt_tokens: prompt = null, completion_tokens: completion = null } = usage ?? {}
  return prompt === null || completion === null ? undefined : costOfTokens(price, { prompt, completion })
}

function priceOf({ params, name }: MetricSetup, key: string): number {
  const value = params[key]
  if (typeof value === "number" && value >= 0) return value
  throw invalidRequest(
    [...name.split("."), key],
    `is ${JSON.stringify(value)}; give the price of a million tokens.`,
    "number",
    value,
  )
}

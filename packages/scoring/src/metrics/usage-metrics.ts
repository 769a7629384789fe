import { plainMetric, type DefineMetric } from "./metric-definition.ts"
import { costOfUsage, tokenPrices } from "./token-prices.ts"

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

/**
 * `cost`: the cost of a row's tokens at `prompt_price` and `completion_price`, each for a million tokens, in any currency. With `model`
 * instead, the price of that model in the price table of the job.
 */
export const costMetric: DefineMetric = (setup) => {
  const { key, type } = setup
  const prices = tokenPrices(setup)
  const scores = ["cost"]
  return {
    key,
    type,
    scores,
    fields: [],
    readsOutput: false,
    endpoints: [],
    check: async (environment) => void prices.of(environment),
    async bind({ environment }) {
      const price = prices.of(environment)
      return {
        key,
        type,
        scores,
        isAmount: true,
        isRemote: false,
        score: ({ sample: { usage } }) => ({ scores: { cost: costOfUsage(usage, price) ?? "NaN" } }),
      }
    },
  }
}

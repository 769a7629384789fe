import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"

/** `tokens`: how many the prompt and the answer had, as the endpoint counts them. */
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

import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"

/** `latency`: milliseconds from the first try of a request to the end of its answer. */
export const latencyMetric: DefineMetric = (setup) =>
  plainMetric(setup, {
    scores: ["latency_ms"],
    isAmount: true,
    templates: [],
    score: ({ sample }) => ({ scores: { latency_ms: sample.latency_ms ?? "NaN" } }),
  })

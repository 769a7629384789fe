import type { MetricConfig } from "./evaluation-config.ts"

/** What a round of a job does: everything that has no answer yet, the rows that failed, or new scores alone. */
export type JobScope =
  | { readonly kind: "run" }
  | { readonly kind: "retry-failed" }
  /** Metrics that are added to finished rows, by task. */
  | { readonly kind: "score"; readonly metrics: Readonly<Record<string, Readonly<Record<string, MetricConfig>>>> }

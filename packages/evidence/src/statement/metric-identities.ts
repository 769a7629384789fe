import { hash } from "node:crypto"
import { metricIdentity } from "@assay/results"
import type { EvaluationConfigBody } from "@assay/schemas"
import { canonicalJson } from "../canonical-json.ts"
import type { BundleSide } from "./verdict-statement.ts"

/** Returns a digest of what each metric measures, by `task.metric`. It is what comparisons compare. */
export function metricIdentities(config: EvaluationConfigBody): BundleSide["metrics"] {
  const metrics = Object.entries(config.tasks ?? {}).flatMap(([task, { metrics = {} }]) =>
    Object.entries(metrics).map(([metric, { type }]) => {
      const identity = hash("sha256", canonicalJson(metricIdentity(config, task, metric)))
      return [`${task}.${metric}`, { type, identity }] as const
    }),
  )
  return Object.fromEntries(metrics)
}

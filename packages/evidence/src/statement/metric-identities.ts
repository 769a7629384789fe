import { hash } from "node:crypto"
import { resultScores } from "@assay/results"
import type { EvaluationConfigBody, EvaluationResult } from "@assay/schemas"
import { scoreIdentity } from "@assay/scoring"
import { canonicalJson } from "../canonical-json.ts"
import type { BundleSide } from "./verdict-statement.ts"

/** Returns a digest of what each metric measures, by `task.metric`: of the identities of its scores. */
export function metricIdentities(
  config: EvaluationConfigBody,
  result: Pick<EvaluationResult, "tasks" | "groups">,
): BundleSide["metrics"] {
  const scores = resultScores.list(result)
  const metrics = Object.entries(config.tasks ?? {}).flatMap(([task, { metrics = {} }]) =>
    Object.entries(metrics).map(([metric, { type }]) => {
      const names = new Set(scores.filter((one) => one.metric === metric).map(({ score }) => score))
      const digests = [...names]
        .toSorted()
        .map((score) => [score, scoreIdentity.digest(config, { task, metric, score })])
      return [`${task}.${metric}`, { type, identity: hash("sha256", canonicalJson(digests)) }] as const
    }),
  )
  return Object.fromEntries(metrics)
}

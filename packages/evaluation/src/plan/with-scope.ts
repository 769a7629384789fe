import type { EvaluationConfigBody } from "@assay/schemas"
import type { JobScope } from "../jobs/runnable-job.ts"
import { taskMetrics } from "./task-metrics.ts"

/** The configuration of a round: under `score` with the metrics that are added, beside those whose scores are in the journal. */
export function withScope(config: EvaluationConfigBody, scope: JobScope): EvaluationConfigBody {
  if (scope.kind !== "score") return config
  const added = Object.entries(scope.metrics).map(([name, metrics]) => {
    const task = config.tasks?.[name] ?? {}
    return [name, { ...task, metrics: { ...taskMetrics(config, task), ...metrics } }] as const
  })
  return { ...config, tasks: { ...config.tasks, ...Object.fromEntries(added) } }
}

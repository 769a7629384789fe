import type { MetricConfig } from "@assay/schemas"
import { defineMetric, watchReads } from "../metrics/define-metric.ts"
import type { MetricDefinition, MetricSetup } from "../metrics/metric-definition.ts"
import { callLimits, type RunParams } from "./run-params.ts"
import type { TaskToShape } from "./task-shape.ts"

export interface MetricsToDefine extends Pick<TaskToShape, "name" | "issues"> {
  readonly metrics: Readonly<Record<string, MetricConfig>>
  readonly run: RunParams
  /** Used where a metric's own parameters say nothing. */
  readonly defaults?: Readonly<Record<string, unknown>>
  readonly references?: MetricSetup["references"]
}

/** The metrics of a task; what is wrong with one becomes an issue. */
export function defineMetrics({
  name,
  issues,
  metrics,
  run,
  defaults,
  references,
}: MetricsToDefine): readonly MetricDefinition[] {
  return Object.entries(metrics).flatMap(([key, { type, params }]) => {
    const watched = watchReads<MetricSetup["params"]>({ ...defaults, ...params })
    const setup: MetricSetup = {
      key,
      type,
      params: watched.value,
      name: `tasks.${name}.metrics.${key}.params`,
      run: callLimits(run),
      ...(references === undefined ? {} : { references }),
    }
    const definition = issues.attempt(() => defineMetric(setup))
    if (definition === undefined) return []
    return { ...definition, params: { given: Object.keys(params ?? {}), read: [...watched.read] } }
  })
}

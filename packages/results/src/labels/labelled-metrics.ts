import type { EvaluationConfigBody } from "@assay/schemas"

/** A metric whose scores are corrected by labels of people. */
export interface LabelledMetric {
  readonly task: string
  readonly metric: string
  /** The `labels` of the metric. */
  readonly labels: string
  /** Where a launch has the option, for messages. */
  readonly location: string
}

/** Lists the metrics of a configuration that name labels. */
export function labelledMetrics({ tasks = {} }: Pick<EvaluationConfigBody, "tasks">): readonly LabelledMetric[] {
  return Object.entries(tasks).flatMap(([task, { metrics = {} }]) =>
    Object.entries(metrics).flatMap(([metric, { labels }]) => {
      const location = `config.tasks.${task}.metrics.${metric}.labels`
      return labels === undefined ? [] : [{ task, metric, labels, location }]
    }),
  )
}

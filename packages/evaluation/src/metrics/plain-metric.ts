import { fieldsOfTemplates } from "../plan/field-read.ts"
import type { RowTemplate } from "../plan/row-template.ts"
import type { BoundMetric } from "../plan/task-plan.ts"
import type { MetricDefinition, MetricSetup } from "./metric-definition.ts"

export interface PlainMetric extends Pick<BoundMetric, "scores" | "score" | "createCorpusScores"> {
  readonly templates: readonly (RowTemplate | undefined)[]
}

/** A metric that asks nobody: the same function serves every plan. */
export function plainMetric({ key, type }: MetricSetup, metric: PlainMetric): MetricDefinition {
  const { templates, ...rest } = metric
  const bound: BoundMetric = { key, type, isRemote: false, ...rest }
  return {
    key,
    type,
    scores: rest.scores,
    fields: fieldsOfTemplates(templates.filter((template) => template !== undefined)),
    endpoints: [],
    bind: () => Promise.resolve(bound),
  }
}

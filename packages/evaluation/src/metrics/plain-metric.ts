import { fieldsOfTemplates, readsOutput, type FieldRead, type RowTemplate } from "../templates/row-template.ts"
import type { BoundMetric } from "../plan/task-plan.ts"
import type { MetricDefinition, MetricSetup } from "./metric-definition.ts"

export interface PlainMetric extends Pick<BoundMetric, "scores" | "score" | "createCorpusScores" | "isAmount"> {
  /** Undefined stands for the answer's own text. */
  readonly templates: readonly (RowTemplate | undefined)[]
  /** What it needs of rows beside its templates. */
  readonly fields?: readonly FieldRead[]
}

/** A metric that asks nobody: the same function serves every plan. */
export function plainMetric({ key, type }: MetricSetup, metric: PlainMetric): MetricDefinition {
  const { templates, fields = [], ...rest } = metric
  const given = templates.filter((template) => template !== undefined)
  const bound: BoundMetric = { key, type, isRemote: false, ...rest }
  return {
    key,
    type,
    scores: rest.scores,
    fields: [...fieldsOfTemplates(given), ...fields],
    readsOutput: given.length < templates.length || readsOutput(given),
    endpoints: [],
    bind: () => Promise.resolve(bound),
  }
}

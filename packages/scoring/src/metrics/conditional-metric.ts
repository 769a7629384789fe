import { isObject } from "@assay/json"
import { type RowTemplate, fieldsOfTemplates } from "../templates/row-template.ts"
import type { BoundMetric, ScoreInput } from "./bound-metric.ts"
import type { MetricDefinition } from "./metric-definition.ts"

/** Returns whether a template has a value for a row: neither null, false, 0, nor an empty text, list or object. @throws `template_error` */
export function holds(when: RowTemplate, input: ScoreInput): boolean {
  const value = when.evaluate(input)
  if (typeof value === "string") return value.trim() !== ""
  if (Array.isArray(value)) return value.length > 0
  if (isObject(value)) return Object.keys(value).length > 0
  return Boolean(value)
}

/** Limits a metric to the rows for which the template `when` has a value. It gives the other rows no score. */
export function conditionalMetric(metric: MetricDefinition, when: RowTemplate): MetricDefinition {
  const { renderRequests } = metric
  return {
    ...metric,
    fields: [...metric.fields, ...fieldsOfTemplates([when])],
    bind: async (context) => withCondition(await metric.bind(context), when),
    ...(renderRequests === undefined
      ? {}
      : { renderRequests: (input, steps) => (holds(when, input) ? renderRequests(input, steps) : []) }),
  }
}

function withCondition(metric: BoundMetric, when: RowTemplate): BoundMetric {
  const { createCorpusScores } = metric
  return {
    ...metric,
    score: (input, options) => (holds(when, input) ? metric.score(input, options) : { scores: {} }),
    ...(createCorpusScores === undefined ? {} : { createCorpusScores: () => ofScoredRows(createCorpusScores()) }),
  }
}

type CorpusScores = ReturnType<NonNullable<BoundMetric["createCorpusScores"]>>

/** Leaves rows out that have no score. */
function ofScoredRows(scores: CorpusScores): CorpusScores {
  return Object.fromEntries(
    Object.entries(scores).map(([name, score]) => [
      name,
      {
        ...score,
        add: (input, own, unit) => (Object.keys(own).length === 0 ? undefined : score.add(input, own, unit)),
      } satisfies CorpusScores[string],
    ]),
  )
}

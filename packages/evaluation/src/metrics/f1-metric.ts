import { f1 } from "@assay/metrics"
import { candidateText } from "./candidate-text.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"
import { referenceTexts } from "./reference-texts.ts"

/** `f1`: the words that the answer shares with a reference, as SQuAD counts them. */
export const f1Metric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const references = referenceTexts(setup)
  return plainMetric(setup, {
    scores: ["f1_score"],
    templates: [candidate.template, ...references.templates],
    fields: references.fields,
    score: (input) => ({ scores: { f1_score: f1(candidate.of(input), references.of(input)) } }),
  })
}

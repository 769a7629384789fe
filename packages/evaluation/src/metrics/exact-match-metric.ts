import { exactMatch } from "@assay/metrics"
import { candidateText } from "./texts/candidate-text.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"
import { referenceTexts } from "./texts/reference-texts.ts"

/** `exact-match` and `em`: whether the answer is a reference after SQuAD's normalisation. */
export const exactMatchMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const references = referenceTexts(setup)
  const score = setup.type === "em" ? "em_score" : "exact-match"
  return plainMetric(setup, {
    scores: [score],
    templates: [candidate.template, ...references.templates],
    fields: references.fields,
    score: (input) => ({ scores: { [score]: exactMatch(candidate.of(input), references.of(input)) } }),
  })
}

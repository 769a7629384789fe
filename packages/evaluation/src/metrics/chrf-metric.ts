import { sentenceChrf } from "@assay/metrics"
import { candidateText } from "./candidate-text.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"
import { referenceTexts } from "./reference-texts.ts"

/** `chrf`: chrF2 of each answer, 0 to 100. */
export const chrfMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const references = referenceTexts(setup)
  return plainMetric(setup, {
    scores: ["chrf"],
    templates: [candidate.template, ...references.templates],
    fields: references.fields,
    score: (input) => ({ scores: { chrf: sentenceChrf(candidate.of(input), references.of(input)) } }),
  })
}

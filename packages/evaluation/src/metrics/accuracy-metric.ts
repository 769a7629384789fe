import { candidateText } from "./texts/candidate-text.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"
import { referenceTexts } from "./texts/reference-texts.ts"

/** `accuracy`: whether the answer is a reference, letter for letter but for blanks around it. */
export const accuracyMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const references = referenceTexts(setup)
  return plainMetric(setup, {
    scores: ["accuracy"],
    templates: [candidate.template, ...references.templates],
    fields: references.fields,
    score(input) {
      const own = candidate.of(input).trim()
      return { scores: { accuracy: references.of(input).some((reference) => reference.trim() === own) ? 1 : 0 } }
    },
  })
}

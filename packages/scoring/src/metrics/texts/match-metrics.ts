import { exactMatch, f1 } from "@assay/metrics"
import { plainMetric, type DefineMetric } from "../metric-definition.ts"
import { candidateText, comparedTexts, referenceTexts } from "./compared-texts.ts"

/** `exact-match` and `em`: 1 if the answer equals a reference after SQuAD's normalisation, else 0. */
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

/** `accuracy`: 1 if the answer equals a reference exactly, except for blanks around it, else 0. */
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

/** `f1`: the overlap of words between the answer and a reference, as SQuAD computes it. */
export const f1Metric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  return plainMetric(setup, {
    scores: ["f1_score"],
    templates: texts.templates,
    fields: texts.fields,
    score(input) {
      const { candidate, references } = texts.of(input)
      return { scores: { f1_score: f1(candidate, references) } }
    },
  })
}

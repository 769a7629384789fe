import { f1 } from "@assay/metrics"
import { comparedTexts } from "./texts/compared-texts.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"

/** `f1`: the words that the answer shares with a reference, as SQuAD counts them. */
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

import { sentenceChrf } from "@assay/metrics"
import { comparedTexts } from "./texts/compared-texts.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"

/** `chrf`: chrF2 of each answer, 0 to 100. */
export const chrfMetric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  return plainMetric(setup, {
    scores: ["chrf"],
    templates: texts.templates,
    fields: texts.fields,
    score(input) {
      const { candidate, references } = texts.of(input)
      return { scores: { chrf: sentenceChrf(candidate, references) } }
    },
  })
}

import { createCorpusBleu, sentenceBleu } from "@assay/metrics"
import { comparedTexts } from "./texts/compared-texts.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"
import { scoreValue } from "./score-value.ts"

/** `bleu`: of each answer as `sentence`, of all together as `corpus`; 0 to 100. */
export const bleuMetric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  return plainMetric(setup, {
    scores: ["sentence", "corpus"],
    templates: texts.templates,
    fields: texts.fields,
    score(input) {
      const { candidate, references } = texts.of(input)
      return { scores: { sentence: sentenceBleu(candidate, references) } }
    },
    createCorpusScores() {
      const corpus = createCorpusBleu()
      return {
        corpus: {
          add(input) {
            const { candidate, references } = texts.of(input)
            corpus.add(candidate, references)
          },
          value: () => scoreValue(corpus.score()),
        },
      }
    },
  })
}

import { createCorpusBleu, sentenceBleu } from "@assay/metrics"
import { candidateText } from "./candidate-text.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"
import { referenceTexts } from "./reference-texts.ts"
import { scoreValue } from "./score-value.ts"

/** `bleu`: of each answer as `sentence`, of all together as `corpus`; 0 to 100. */
export const bleuMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const references = referenceTexts(setup)
  return plainMetric(setup, {
    scores: ["sentence", "corpus"],
    templates: [candidate.template, ...references.templates],
    fields: references.fields,
    score: (input) => ({ scores: { sentence: sentenceBleu(candidate.of(input), references.of(input)) } }),
    createCorpusScores() {
      const corpus = createCorpusBleu()
      return {
        corpus: {
          add: (input) => corpus.add(candidate.of(input), references.of(input)),
          value: () => scoreValue(corpus.score()),
        },
      }
    },
  })
}

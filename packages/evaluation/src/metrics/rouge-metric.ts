import { createRouge, type RougeScores } from "@assay/metrics"
import { candidateText } from "./candidate-text.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"
import { referenceTexts } from "./reference-texts.ts"

const SCORES = {
  rouge_1_score: "rouge1",
  rouge_2_score: "rouge2",
  rouge_3_score: "rouge3",
  rouge_L_score: "rougeL",
} as const satisfies Record<string, keyof RougeScores>

/** `rouge`: F-measures of ROUGE-1, -2, -3 and -L; of several references the best, each for itself. */
export const rougeMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const references = referenceTexts(setup)
  const rouge = createRouge()
  return plainMetric(setup, {
    scores: Object.keys(SCORES),
    templates: [candidate.template, ...references.templates],
    fields: references.fields,
    score(input) {
      const text = candidate.of(input)
      const all = references.of(input).map((reference) => rouge.score(text, reference))
      const best = (name: keyof RougeScores) => Math.max(...all.map((scores) => scores[name].fMeasure))
      return { scores: Object.fromEntries(Object.entries(SCORES).map(([score, name]) => [score, best(name)])) }
    },
  })
}

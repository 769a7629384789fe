import { createRouge, type RougeScores } from "@assay/metrics"
import { comparedTexts } from "./texts/compared-texts.ts"
import type { DefineMetric } from "./metric-definition.ts"
import { plainMetric } from "./plain-metric.ts"

const SCORES = {
  rouge_1_score: "rouge1",
  rouge_2_score: "rouge2",
  rouge_3_score: "rouge3",
  rouge_L_score: "rougeL",
} as const satisfies Record<string, keyof RougeScores>

/** `rouge`: F-measures of ROUGE-1, -2, -3 and -L; of several references the best, each for itself. */
export const rougeMetric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  const rouge = createRouge()
  return plainMetric(setup, {
    scores: Object.keys(SCORES),
    templates: texts.templates,
    fields: texts.fields,
    score(input) {
      const { candidate, references } = texts.of(input)
      const all = references.map((reference) => rouge.score(candidate, reference))
      const best = (name: keyof RougeScores) => Math.max(...all.map((scores) => scores[name].fMeasure))
      return { scores: Object.fromEntries(Object.entries(SCORES).map(([score, name]) => [score, best(name)])) }
    },
  })
}

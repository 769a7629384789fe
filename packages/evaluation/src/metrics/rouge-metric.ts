import { createRouge, type RougeScores } from "@assay/metrics"
import { AssayError } from "@assay/schemas"
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

/** The length of an answer times that of its references: ROUGE-L compares every word of one with every word of the other. */
const MAX_COMPARED = 10_000_000_000

function checkLengths(text: string, references: readonly string[]): void {
  const length = references.reduce((sum, reference) => sum + reference.length, 0)
  if (text.length * length <= MAX_COMPARED) return
  throw new AssayError(
    "rows_invalid",
    `ROUGE can't compare an answer of ${text.length} characters with references of ${length}; the product may be ${MAX_COMPARED}, such as 100,000 of both.`,
  )
}

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
      const expected = references.of(input)
      checkLengths(text, expected)
      const all = expected.map((reference) => rouge.score(text, reference))
      const best = (name: keyof RougeScores) => Math.max(...all.map((scores) => scores[name].fMeasure))
      return { scores: Object.fromEntries(Object.entries(SCORES).map(([score, name]) => [score, best(name)])) }
    },
  })
}

import { setImmediate } from "node:timers/promises"
import { createRouge, type Rouge, type RougeScores } from "@assay/metrics"
import type { MetricOutcome } from "../plan/task-plan.ts"
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
    score(input, { signal }) {
      const { candidate, references } = texts.of(input)
      const isLong = references.some((reference) => candidate.length * reference.length > LONG)
      if (!isLong) return bestOf(references.map((reference) => rouge.score(candidate, reference)))
      return scoreInTurns(rouge, { candidate, references }, signal)
    },
  })
}

/** Characters of two texts, multiplied, whose longest common sequence may take more than ten milliseconds. */
const LONG = 400_000_000

async function scoreInTurns(
  rouge: Rouge,
  { candidate, references }: { readonly candidate: string; readonly references: readonly string[] },
  signal: AbortSignal,
): Promise<MetricOutcome> {
  const all: RougeScores[] = []
  for (const reference of references) {
    all.push(await rouge.scoreInTurns(candidate, reference, () => setImmediate(undefined, { signal })))
  }
  return bestOf(all)
}

function bestOf(all: readonly RougeScores[]): MetricOutcome {
  const best = (name: keyof RougeScores) => Math.max(...all.map((scores) => scores[name].fMeasure))
  return { scores: Object.fromEntries(Object.entries(SCORES).map(([score, name]) => [score, best(name)])) }
}

import { isMathAnswer, scoreGsm8k } from "@assay/metrics"
import { type DefineMetric, plainMetric } from "../metric-definition.ts"
import { comparedTexts } from "./compared-texts.ts"

/** `gsm8k`: whether the answer has the expected number, after `#### ` (`strict`) and as its last one (`flexible`), as lm-evaluation-harness decides. */
export const gsm8kMetric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  return plainMetric(setup, {
    scores: ["strict", "flexible"],
    templates: texts.templates,
    fields: texts.fields,
    score(input) {
      const { candidate, references } = texts.of(input)
      const all = references.map((reference) => scoreGsm8k(candidate, reference))
      const best = (name: "strict" | "flexible") => Math.max(...all.map((one) => one[name]))
      return { scores: { strict: best("strict"), flexible: best("flexible") } }
    },
  })
}

/** `math`: 1 if the final answer in LaTeX is the expected one after the normalisation of the MATH benchmark, else 0. */
export const mathMetric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  return plainMetric(setup, {
    scores: ["math"],
    templates: texts.templates,
    fields: texts.fields,
    score(input) {
      const { candidate, references } = texts.of(input)
      return { scores: { math: references.some((reference) => isMathAnswer(candidate, reference)) ? 1 : 0 } }
    },
  })
}

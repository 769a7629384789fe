import type { ScoreInput } from "../../plan/task-plan.ts"
import { candidateText } from "./candidate-text.ts"
import { checkTextSizes } from "./check-text-sizes.ts"
import type { MetricSetup } from "../metric-definition.ts"
import type { PlainMetric } from "../plain-metric.ts"
import { referenceTexts } from "./reference-texts.ts"

/** An answer and what it is compared with, word by word. */
interface ComparedTexts extends Required<Pick<PlainMetric, "templates" | "fields">> {
  /** @throws what reading either throws; `rows_invalid` for texts that are too long */
  readonly of: (input: ScoreInput) => { readonly candidate: string; readonly references: readonly string[] }
}

/** The texts of a metric that compares them. @throws `template_error`, `invalid_request` */
export function comparedTexts(setup: MetricSetup): ComparedTexts {
  const own = candidateText(setup)
  const given = referenceTexts(setup)
  return {
    templates: [own.template, ...given.templates],
    fields: given.fields,
    of(input) {
      const candidate = own.of(input)
      const references = given.of(input)
      checkTextSizes(candidate, references)
      return { candidate, references }
    },
  }
}

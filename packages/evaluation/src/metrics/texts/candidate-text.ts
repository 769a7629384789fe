import { AssayError, type EvaluationSample } from "@assay/schemas"
import type { RowTemplate } from "../../templates/row-template.ts"
import type { ScoreInput } from "../../plan/task-plan.ts"
import type { MetricSetup } from "../metric-definition.ts"
import { optionalTemplate } from "../metric-templates.ts"

/** The text that is scored. */
export interface CandidateText {
  readonly template: RowTemplate | undefined
  /** @throws `template_error`; `output_truncated` or `rows_invalid` where there is no text */
  readonly of: (input: ScoreInput) => string
}

/** The text of `candidate` or `prediction`, else the model's own: `sample.output_text`. */
export function candidateText(setup: MetricSetup): CandidateText {
  const template = optionalTemplate(setup, ["candidate", "prediction"])
  return { template, of: template === undefined ? ({ sample }) => outputText(sample) : template.render }
}

/** What the model said. @throws `output_truncated` where it was cut off before, `rows_invalid` where it said nothing */
export function outputText({ output_text: text, response, finish_reason: reason }: EvaluationSample): string {
  if (text !== null) return text
  if (reason === "length") {
    throw new AssayError(
      "output_truncated",
      "The model was cut off by its token limit before it said anything; raise 'max_tokens'.",
    )
  }
  const found = response === null ? "The row has no 'response' and no 'output'" : "The answer has no text"
  const ended = reason === null ? "" : ` (finish_reason '${reason}')`
  throw new AssayError(
    "rows_invalid",
    `${found}${ended}, so there is nothing to score; give it, or name a 'candidate' for the metric.`,
  )
}

import { AssayError, type EvaluationSample } from "@assay/schemas"
import type { RowTemplate } from "../../templates/row-template.ts"
import type { ScoreInput } from "../../plan/task-plan.ts"
import type { MetricSetup } from "../metric-definition.ts"
import { optionalTemplate } from "../metric-templates.ts"

/** The text that is scored. */
interface CandidateText {
  readonly template: RowTemplate | undefined
  /** @throws `template_error`; `output_truncated` or `rows_invalid` if there is no text */
  readonly of: (input: ScoreInput) => string
}

/** Returns the text to score: the template `candidate` or `prediction`, else `sample.output_text`. */
export function candidateText(setup: MetricSetup): CandidateText {
  const template = optionalTemplate(setup, ["candidate", "prediction"])
  return { template, of: template === undefined ? ({ sample }) => outputText(sample) : template.render }
}

/** Returns the text of the model's answer. @throws `output_truncated` if the token limit left none, `rows_invalid` if there is none */
export function outputText({ output_text: text, response, finish_reason: reason }: EvaluationSample): string {
  if (text !== null) return text
  if (reason === "length") {
    throw new AssayError(
      "output_truncated",
      "The model reached its token limit before it wrote any text; raise 'max_tokens'.",
    )
  }
  const found = response === null ? "The row has no 'response' and no 'output'" : "The answer has no text"
  const ended = reason === null ? "" : ` (finish_reason '${reason}')`
  throw new AssayError(
    "rows_invalid",
    `${found}${ended}, so there is nothing to score; give it, or name a 'candidate' for the metric.`,
  )
}

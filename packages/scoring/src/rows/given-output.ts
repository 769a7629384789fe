import { type EvaluationSample, invalidRequest } from "@assay/schemas"
import { compileRowTemplate, type FieldRead, fieldsOfTemplates } from "../templates/row-template.ts"
import { givenSample } from "./given-answers.ts"
import type { SourceRow } from "./source-row.ts"
import { valueText } from "./value-text.ts"

/** How the output of a row is found that has one already. */
interface GivenOutput {
  /** The fields that rows must have. */
  readonly fields: readonly FieldRead[]
  /** @throws `template_error` */
  readonly sampleOf: (item: SourceRow["item"]) => EvaluationSample
}

/** Compiles a template of the outputs of rows. @throws `template_error`, `invalid_request` */
function compileGivenOutput(source: unknown, location: string): GivenOutput {
  if (typeof source !== "string") {
    const rule = "is not a text; give a template such as '{{ item.reply }}'."
    throw invalidRequest(location.split("."), rule, "string_type")
  }
  const template = compileRowTemplate(source, location)
  return {
    fields: fieldsOfTemplates([template]),
    sampleOf: (item) => ({ ...givenSample(item), output_text: valueText(template.evaluate({ item })) }),
  }
}

/** The outputs that rows have: under `response` or `output`, or by a template. */
export const givenOutput = Object.freeze({ ofRow: givenSample, compile: compileGivenOutput })

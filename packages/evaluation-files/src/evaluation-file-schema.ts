import { withoutIds } from "@assay/validation"
import { LongEvaluation } from "./evaluation-content.ts"
import { ShortEvaluation } from "./short/short-evaluation.ts"

/** Returns the JSON Schema (draft 7) of an evaluation file in both forms, for editors and other validators. */
export function evaluationFileSchema(): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Evaluation file of Assay",
    description: "The short form has model, data and checks; the long form has target and config.",
    type: "object",
    if: { anyOf: [{ required: ["target"] }, { required: ["config"] }] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: withoutIds(LongEvaluation),
    else: withoutIds(ShortEvaluation),
  }
}

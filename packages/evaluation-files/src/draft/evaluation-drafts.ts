import { checkPrompt, checkTemplate, checkTemplatesIn, readColumn } from "./check-draft.ts"
import { EXAMPLE_NAME, EXAMPLE_ROWS, exampleColumns } from "./example-rows.ts"
import { checkWritten, formatEvaluationFile } from "./format-evaluation.ts"
import { checkOf, proposeColumns, templateOf } from "./propose-columns.ts"
import { isVariable, readKey, readModel } from "./read-model.ts"

/** New evaluation files, which answers of a user describe. */
export const evaluationDrafts = {
  proposeColumns,
  checkOf,
  templateOf,
  readColumn,
  readModel,
  readKey,
  isVariable,
  checkPrompt,
  checkTemplate,
  checkTemplatesIn,
  format: formatEvaluationFile,
  checkWritten,
  example: { name: EXAMPLE_NAME, rows: EXAMPLE_ROWS, columns: exampleColumns },
}

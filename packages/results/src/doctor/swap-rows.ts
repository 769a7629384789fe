import { AssayError, type EvaluationRow, printable } from "@assay/schemas"

/** The names of two fields of rows; `output` is the answer of the model. */
export type SwappedFields = readonly [first: string, second: string]

const OUTPUT = "output"

/** Swaps two texts of each row. Twice gives the rows as they were. @throws `bad_usage` for a row without one of the texts */
export function swapRows(
  rows: readonly EvaluationRow[],
  [first, second]: SwappedFields,
  name: string,
): EvaluationRow[] {
  return rows.map((row) => {
    const [one, other] = [first, second].map((field) => textToSwap(row, field, name))
    return withText(withText(row, first, other), second, one)
  })
}

function textToSwap({ item, sample, row_index: row }: EvaluationRow, field: string, name: string): string {
  const value = isOutput(item, field) ? sample?.output_text : Object.hasOwn(item, field) ? item[field] : undefined
  if (typeof value === "string") return value
  const fields = Object.keys(item).map(printable).join(", ")
  const message = `Row ${row + 1} of '${printable(name)}' has no text '${printable(field)}' to swap; its fields are ${fields}, and output is the answer of the model.`
  throw new AssayError("bad_usage", message)
}

function withText(row: EvaluationRow, field: string, text: string | undefined): EvaluationRow {
  const { item, sample } = row
  if (!isOutput(item, field)) return { ...row, item: { ...item, [field]: text } }
  return { ...row, sample: sample && { ...sample, output_text: text ?? null } }
}

/** A field of the row has precedence. */
function isOutput(item: EvaluationRow["item"], field: string): boolean {
  return field === OUTPUT && !Object.hasOwn(item, OUTPUT)
}

import { AssayError } from "@assay/schemas/errors"
import { parseLabelledPrompt, type LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"

/** A row of a file. */
interface RowOfFile {
  readonly file: string
  /** The number of the row in its file, from 1. */
  readonly number: number
  readonly row: unknown
  /** The fault in the text of the row. Null: it could be parsed. */
  readonly fault: string | null
}

export interface LabelledRowsOptions {
  /** The name of all rows together in messages. */
  readonly source: string
  /** Formats a file as the user writes it. */
  readonly nameOf: (file: string) => string
  /** Maximum number of prompts. Default: all. */
  readonly limit?: number | undefined
}

/** Parses rows as labelled prompts. @throws `rows_invalid` with the file and the row, or if there are no rows */
export async function* parseLabelledRows(
  rows: AsyncIterable<RowOfFile>,
  { source, nameOf, limit = Infinity }: LabelledRowsOptions,
): AsyncGenerator<LabelledPrompt, void, undefined> {
  let taken = 0
  for await (const { file, number, row, fault } of rows) {
    if (fault !== null) {
      throw new AssayError("rows_invalid", `${nameOf(file)}: row ${number} ${fault}; correct it, or leave it out.`)
    }
    yield parseRow(nameOf(file), row, number)
    taken += 1
    if (taken >= limit) return
  }
  if (taken > 0) return
  throw new AssayError("rows_invalid", `'${source}' has no row: give prompts with the columns prompt and label.`)
}

function parseRow(file: string, row: unknown, number: number): LabelledPrompt {
  try {
    return parseLabelledPrompt(row, number)
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    throw new AssayError(error.code, `${file}: ${error.message}`, { cause: error })
  }
}

import { AssayError } from "@assay/schemas/errors"
import { parseLabelledPrompt, parsePrompt, type LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"
import type { PromptToCheck } from "../judge.ts"
import { messageWith } from "./parse-message-lines.ts"

/** A row of a file. */
interface RowOfFile {
  readonly file: string
  /** The number of the row in its file, from 1. */
  readonly number: number
  readonly row: unknown
  /** The fault in the text of the row. Null: it could be parsed. */
  readonly fault: string | null
}

/** Formats a file as the user writes it. */
type NameOf = (file: string) => string

export interface LabelledRowsOptions {
  /** The name of all rows together in messages. */
  readonly source: string
  readonly nameOf: NameOf
  /** Maximum number of prompts. Default: all. */
  readonly limit?: number | undefined
}

/** Parses rows as labelled prompts. @throws `rows_invalid` with the file and the row, or if there are no rows */
export async function* parseLabelledRows(
  rows: AsyncIterable<RowOfFile>,
  { source, nameOf, limit = Infinity }: LabelledRowsOptions,
): AsyncGenerator<LabelledPrompt, void, undefined> {
  let taken = 0
  for await (const prompt of parseRows(rows, nameOf, parseLabelledPrompt)) {
    yield prompt
    taken += 1
    if (taken >= limit) return
  }
  if (taken > 0) return
  throw new AssayError("rows_invalid", `'${source}' has no row: give prompts with the columns prompt and label.`)
}

/**
 * Parses rows as messages to check: the columns `prompt` and `response`. Other columns, such as a label, are left out.
 * @param response the answer to messages that have none
 * @throws `rows_invalid` with the file and the row
 */
export async function* parseMessageRows(
  rows: AsyncIterable<RowOfFile>,
  nameOf: NameOf,
  response: string | undefined,
): AsyncGenerator<PromptToCheck, void, undefined> {
  for await (const { prompt, response: own = response } of parseRows(rows, nameOf, parsePrompt)) {
    yield messageWith(prompt, own)
  }
}

async function* parseRows<T>(
  rows: AsyncIterable<RowOfFile>,
  nameOf: NameOf,
  parse: (row: unknown, number: number) => T,
): AsyncGenerator<T, void, undefined> {
  for await (const { file, number, row, fault } of rows) {
    if (fault !== null) {
      throw new AssayError("rows_invalid", `${nameOf(file)}: row ${number} ${fault}; correct it, or leave it out.`)
    }
    yield parseRow(() => parse(row, number), nameOf(file))
  }
}

function parseRow<T>(parse: () => T, file: string): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    throw new AssayError(error.code, `${file}: ${error.message}`, { cause: error })
  }
}

import { rowsOfFiles } from "@assay/contents"
import {
  exampleSetPath,
  type LabelledPrompt,
  parseLabelledRows,
  parseMessageRows,
  type PromptToCheck,
} from "@assay/guardrails"
import type { Context } from "../../context.ts"
import { openRowSource } from "../dataset/open-row-source.ts"

/** The name of the built-in example set in reports and certificates. */
export const EXAMPLE_SET = "the example set of Assay"

/** Reads labelled prompts of a file, a folder, a fileset or {@link EXAMPLE_SET}. @throws `rows_invalid` with the file and the row */
export async function* labelledRows(
  context: Context,
  data: string,
  limit: number | undefined,
): AsyncGenerator<LabelledPrompt, void, undefined> {
  const { rows, nameOf } = await openRows(context, data === EXAMPLE_SET ? exampleSetPath() : data)
  yield* parseLabelledRows(rows, { source: data, nameOf, limit })
}

/**
 * Reads messages of a file, a folder or a fileset with rows. The judge sees the columns prompt and response alone.
 * @param response the answer to messages that have none
 * @throws `rows_invalid` with the file and the row
 */
export async function* messageRows(
  context: Context,
  data: string,
  response: string | undefined,
): AsyncGenerator<PromptToCheck, void, undefined> {
  const { rows, nameOf } = await openRows(context, data)
  yield* parseMessageRows(rows, nameOf, response)
}

async function openRows(context: Context, data: string) {
  const { storage, path, metadata, nameOf } = await openRowSource(context, data, {})
  return { rows: rowsOfFiles(storage, path, { metadata, signal: context.signal }), nameOf }
}

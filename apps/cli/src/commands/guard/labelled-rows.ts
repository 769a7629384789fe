import { rowsOfFiles } from "@assay/contents"
import { exampleSetPath, type LabelledPrompt, parseLabelledRows } from "@assay/guardrails"
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
  const { storage, path, metadata, nameOf } = await openRowSource(
    context,
    data === EXAMPLE_SET ? exampleSetPath() : data,
    {},
  )
  const rows = rowsOfFiles(storage, path, { metadata, signal: context.signal })
  yield* parseLabelledRows(rows, { source: data, nameOf, limit })
}

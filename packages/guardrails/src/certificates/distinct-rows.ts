import type { LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"
import { createPromptCopies, type PromptCopies } from "../calibration/prompts/prompt-copies.ts"

export interface DistinctRowsOptions {
  /** Receives all rows, for callers that report copies. */
  readonly copies?: PromptCopies
  /** Called for all rows. */
  readonly onRow?: (row: LabelledPrompt) => void
}

/** Yields each prompt once: a copy says nothing that the first one did not, and exact bounds need independent rows. */
export async function* distinctRows(
  rows: AsyncIterable<LabelledPrompt>,
  { copies = createPromptCopies(), onRow }: DistinctRowsOptions = {},
): AsyncGenerator<LabelledPrompt, void, undefined> {
  let number = 0
  for await (const row of rows) {
    onRow?.(row)
    if (!copies.add(number++, row)) yield row
  }
}

import { rowsOfWindow, type RowsText } from "../formats/parquet/parquet-row.ts"
import type { RowChecker } from "../schemas/row-checker.ts"
import { createRowTally, type RowTally } from "./row-tally.ts"

/** Rows of a Parquet file, as its reader gives them. */
export interface RowWindow extends RowsText {
  readonly maxIssues: number
}

/** Checks the rows of one window of a Parquet file. */
export function checkWindow({ maxIssues, ...window }: RowWindow, checker: RowChecker | undefined): RowTally {
  const tally = createRowTally(checker, maxIssues)
  for (const row of rowsOfWindow(window, "value")) tally.add(row)
  return tally.result()
}

import { toParquetRow } from "../parquet/parquet-row.ts"
import type { RowChecker } from "../schemas/row-checker.ts"
import { createRowTally, type RowTally } from "./row-tally.ts"

/** Rows of a Parquet file, as its reader gives them. */
export interface RowWindow {
  readonly text: string
  /** Index in the file of the first row. */
  readonly rowIndex: number
  readonly maxIssues: number
}

/** Checks the rows of one window of a Parquet file. */
export function checkWindow({ text, rowIndex, maxIssues }: RowWindow, checker: RowChecker | undefined): RowTally {
  const tally = createRowTally(checker, maxIssues)
  const values = JSON.parse(text) as readonly unknown[]
  for (const [index, value] of values.entries()) tally.add(toParquetRow(value, rowIndex + index))
  return tally.result()
}

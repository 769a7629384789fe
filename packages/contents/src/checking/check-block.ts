import type { NumberFinder } from "@assay/schemas"
import { anyColumns } from "../schemas/column-types.ts"
import type { RowBlock } from "../rows/row-block.ts"
import { visitRows } from "../reading/visit-rows.ts"
import type { RowChecker } from "../schemas/row-checker.ts"
import { createRowTally, type RowTally } from "./row-tally.ts"

export interface BlockCheck {
  readonly checker: RowChecker | undefined
  readonly maxIssues: number
  /** Serves one block after another. */
  readonly finder: NumberFinder
}

/** Holds the rows of one block against the schema of its file. */
export function checkBlock(block: RowBlock, { checker, maxIssues, finder }: BlockCheck): RowTally {
  const tally = createRowTally(checker, maxIssues)
  visitRows(block, { typesOf: checker?.columns ?? anyColumns, kept: "value", finder }, tally.add)
  return tally.result()
}

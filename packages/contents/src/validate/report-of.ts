import type { RowFileReport } from "@assay/schemas"
import type { RowChecker } from "../schemas/row-checker.ts"
import type { RowTally } from "./row-tally.ts"

/** What `tally` says of the file `path`. */
export function reportOf(path: string, checker: RowChecker | undefined, tally: RowTally): RowFileReport {
  return {
    path,
    schema: checker?.label ?? null,
    rows: tally.rows,
    valid: tally.rows - tally.invalid,
    invalid: tally.invalid,
    issues: [...tally.issues],
    issues_truncated: tally.isTruncated,
  }
}

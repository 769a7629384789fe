import type { RowFileReport } from "@assay/schemas"
import type { RowTally } from "./row-tally.ts"

/** What `tally` says of the file `path`. */
export function reportOf(path: string, label: string | undefined, tally: RowTally): RowFileReport {
  return {
    path,
    schema: label ?? null,
    rows: tally.rows,
    valid: tally.rows - tally.invalid,
    invalid: tally.invalid,
    issues: [...tally.issues],
    issues_truncated: tally.isTruncated,
  }
}

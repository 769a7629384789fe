import type { Comparison } from "@assay/schemas"
import { formatCount } from "./format-number.ts"

/** Says how many rows changed. Of several jobs, a row is counted once for each job in which it changed. */
export function changedRowsText({
  changed_rows_total: total,
  jobs,
}: Pick<Comparison, "changed_rows_total" | "jobs">): string {
  const rows = formatCount(total, "row changed", "rows changed")
  return jobs.length > 2 ? `${rows}, counted for each of ${jobs.length - 1} jobs` : rows
}

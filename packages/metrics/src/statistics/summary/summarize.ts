import { checkArgument } from "../check-argument.ts"
import { createSummary, type SummaryOptions } from "./create-summary.ts"
import type { Stats } from "./stats.ts"

export interface SummarizeOptions extends SummaryOptions {
  /** For each value the index of its row, where rows repeat. */
  readonly rows?: ArrayLike<number>
}

/** What is known of one score, from all its values at once: see {@link createSummary}. Throws `invalid_request`. */
export function summarize(values: ArrayLike<number>, { rows, ...options }: SummarizeOptions = {}): Stats {
  const given = rows?.length ?? values.length
  checkArgument(given === values.length, "rows", given, `one for each of the ${values.length} values`)
  const summary = createSummary(options)
  for (let at = 0; at < values.length; at++) summary.add(values[at] ?? Number.NaN, rows?.[at])
  return summary.result()
}

import { formatInteger } from "@assay/reports"
import { gate, type GateLimit, type GateVerdict } from "@assay/metrics"
import type { Score } from "@assay/schemas"
import type { NamedScore } from "./list-scores.ts"
import { describeUnscored, formatPercent, unscoredRows } from "./unscored-rows.ts"

export interface TheseRowsVerdict {
  readonly verdict: GateVerdict
  /** Why it is FAIL, if not because of the value. */
  readonly reason?: string
}

/**
 * Decides a gate on the rows of a job alone, without an interval: PASS if every row was asked and has a score, except for a share `maxUnscored` of
 * the asked ones, and the value keeps the limit. A missing row is never INCONCLUSIVE, because it breaks the gate.
 */
export function decideOnTheseRows(
  { found, task, metric }: NamedScore,
  scores: readonly NamedScore[],
  { limit, maxUnscored = 0 }: { readonly limit: GateLimit; readonly maxUnscored?: number | undefined },
): TheseRowsVerdict {
  const reason = missingRows(countsOf(found, { task, metric }, scores), maxUnscored)
  if (reason !== undefined) return { verdict: "FAIL", reason }
  if (found.value === "NaN") return { verdict: "FAIL", reason: "nothing was scored." }
  return { verdict: gate({ low: found.value, high: found.value }, limit) }
}

/** Returns the counts of rows of a score. One over all rows, such as corpus BLEU, has those of another score of its metric or its task. */
function countsOf(
  { stats }: Score,
  { task, metric }: Pick<NamedScore, "task" | "metric">,
  scores: readonly NamedScore[],
): Score["stats"] {
  if (stats !== undefined) return stats
  const counted = scores.filter((one) => one.task === task && one.found.stats !== undefined)
  return (counted.find((one) => one.metric === metric) ?? counted[0])?.found.stats
}

/** Undefined: no row is missing, or nothing counted the rows. */
function missingRows(stats: Score["stats"], maxUnscored: number): string | undefined {
  if (stats === undefined) return undefined
  const { skipped } = stats
  const rows = unscoredRows(stats)
  const { unscored, cut, asked } = rows
  if (skipped > 0) return `${formatInteger(skipped)} of ${formatInteger(asked + skipped)} rows were not asked.`
  if (unscored + cut <= maxUnscored * asked) return undefined
  const allowed = maxUnscored === 0 ? "" : `, and max_unscored is ${formatPercent(maxUnscored)}`
  return `${describeUnscored(rows, unscored === 1 ? "has" : "have")}${allowed}.`
}

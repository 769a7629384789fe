import { formatInteger } from "@assay/reports"
import type { PlanOutcome } from "@assay/results"

/**
 * Returns a failed end if a metric has no score for any row; undefined if every metric has at least one. Beside other metrics, expenses may
 * have none: many endpoints do not count tokens.
 */
export function nothingScored(
  { tasks }: Pick<PlanOutcome, "tasks">,
  isExpense: (task: string, metric: string) => boolean = () => false,
): PlanOutcome["end"] | undefined {
  const faults = tasks.flatMap(({ task, metrics }) => {
    const all = Object.entries(metrics)
    const qualities = all.filter(([metric]) => !isExpense(task, metric))
    return (qualities.length === 0 ? all : qualities).flatMap(([metric, scores]) => {
      const counts = Object.values(scores).map((summary) => summary.counts)
      const rows = Math.max(0, ...counts.map(rowsOf))
      const isScored = rows === 0 || counts.some(({ scored }) => scored > 0)
      return isScored ? [] : [`Metric '${metric}' of task '${task}' scored none of ${formatInteger(rows)} rows.`]
    })
  })
  return faults.length === 0 ? undefined : { kind: "failed", code: "nothing_scored", message: faults.join(" ") }
}

type ScoreCounts = PlanOutcome["tasks"][number]["metrics"][string][string]["counts"]

function rowsOf({ scored, unreadable, errored, skipped }: ScoreCounts): number {
  return scored + unreadable + errored + skipped
}

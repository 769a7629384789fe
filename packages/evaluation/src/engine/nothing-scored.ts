import type { PlanEnd, PlanOutcome, ScoreSummary } from "./plan-outcome.ts"

/** How a run ends of which a metric has no score for any row; undefined where each has one. */
export function nothingScored({ tasks }: Pick<PlanOutcome, "tasks">): PlanEnd | undefined {
  const faults = tasks.flatMap(({ task, metrics }) =>
    Object.entries(metrics).flatMap(([metric, scores]) => {
      const counts = Object.values(scores).map((summary) => summary.counts)
      const rows = Math.max(0, ...counts.map(rowsOf))
      const isScored = rows === 0 || counts.some(({ scored }) => scored > 0)
      return isScored ? [] : [`Metric '${metric}' of task '${task}' scored none of ${rows.toLocaleString("en")} rows.`]
    }),
  )
  return faults.length === 0 ? undefined : { kind: "failed", code: "nothing_scored", message: faults.join(" ") }
}

function rowsOf({ scored, unreadable, errored, skipped }: ScoreSummary["counts"]): number {
  return scored + unreadable + errored + skipped
}

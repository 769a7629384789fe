import type { HarnessOutcome } from "@assay/harness"
import { type PlanOutcome, tokenSums } from "@assay/results"

type TaskSummary = PlanOutcome["tasks"][number]
type ScoreSummary = TaskSummary["metrics"][string][string]

/** Only the harness has seen the answers. */
const UNKNOWN_TOKENS = { ...tokenSums.none, uncounted: 1 }

/** Makes the outcome of a harness, in the form of every other run. Its counts are 0, because only the harness has seen the rows. */
export function planOutcomeOf({ end, scores }: HarnessOutcome): PlanOutcome {
  const tasks = Object.entries(scores).map(([task, metrics]) => taskSummary(task, metrics))
  const means = tasks.flatMap(({ task, metrics }) =>
    Object.entries(metrics).flatMap(([metric, of]) =>
      Object.entries(of).flatMap(([name, { value }]) =>
        value === "NaN" ? [] : [[`${task}.${metric}.${name}`, value] as const],
      ),
    ),
  )
  return {
    tasks,
    progress: {
      processed: 0,
      total: null,
      failed: 0,
      tasks: Object.fromEntries(tasks.map(({ task }) => [task, "completed" as const])),
      means: Object.fromEntries(means),
      tokens: UNKNOWN_TOKENS,
    },
    end,
  }
}

function taskSummary(task: string, metrics: HarnessOutcome["scores"][string]): TaskSummary {
  const summaries = Object.entries(metrics).map(([metric, scores]) => {
    const of = Object.entries(scores).map(([name, value]) => [name, summaryOf(value)] as const)
    return [metric, Object.fromEntries(of)] as const
  })
  return { task, metrics: Object.fromEntries(summaries) }
}

function summaryOf(value: ScoreSummary["value"]): ScoreSummary {
  return { stats: null, value, counts: { scored: 0, unreadable: 0, errored: 0, skipped: 0 } }
}

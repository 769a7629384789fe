import type { PlanEnd, PlanOutcome, ScoreSummary, TaskSummary } from "../engine/plan-outcome.ts"
import type { HarnessScores } from "./read-harness-results.ts"

/** What running a harness came to, in the form of every other run. Its scores are over rows that it alone has seen. */
export function harnessOutcome(end: PlanEnd, scores: HarnessScores = {}): PlanOutcome {
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
      tokens: { prompt: 0, completion: 0 },
    },
    end,
  }
}

function taskSummary(task: string, metrics: HarnessScores[string]): TaskSummary {
  const summaries = Object.entries(metrics).map(([metric, scores]) => {
    const of = Object.entries(scores).map(([name, value]) => [name, summaryOf(value)] as const)
    return [metric, Object.fromEntries(of)] as const
  })
  return { task, metrics: Object.fromEntries(summaries) }
}

function summaryOf(value: ScoreSummary["value"]): ScoreSummary {
  return { stats: null, value, counts: { scored: 0, unreadable: 0, errored: 0, skipped: 0 } }
}

import type { EvaluationResult, Score } from "@assay/schemas"
import type { PlanOutcome, TaskSummary } from "../engine/plan-outcome.ts"
import { scoreOf } from "./score-of.ts"

export interface ResultFacts {
  /** `evaluation_result-…` */
  readonly id: string
  /** The id of the job. */
  readonly job: string
  readonly namespace: string
  /** Where the results lie; null where they are kept nowhere. */
  readonly filesUrl: string | null
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number
}

interface MetricScores {
  scores: Record<string, Score>
}
type ResultPart = Record<string, { metrics: Record<string, MetricScores> }>

/** The result of a job, from what running its plan came to: of a job that was stopped, over what was scored until then. */
export function buildResult({ tasks }: Pick<PlanOutcome, "tasks">, facts: ResultFacts): EvaluationResult {
  return {
    id: facts.id,
    job: facts.job,
    files_url: facts.filesUrl,
    namespace: facts.namespace,
    created_at: new Date(facts.createdAt).toISOString(),
    tasks: partOf(tasks.filter(({ group }) => group === undefined)),
    groups: partOf(tasks.filter(({ group }) => group !== undefined)),
  }
}

/** Tasks of one group stand together. Built from entries, so that any name is a name. */
function partOf(tasks: readonly TaskSummary[]): ResultPart {
  const byName = Map.groupBy(tasks, ({ task, group }) => group ?? task)
  return Object.fromEntries(
    [...byName].map(([name, of]) => {
      const metrics = of.flatMap((task) =>
        Object.entries(task.metrics).map(([metric, scores]) => [metric, { scores: scoresOf(scores) }] as const),
      )
      return [name, { metrics: Object.fromEntries(metrics) }]
    }),
  )
}

function scoresOf(scores: TaskSummary["metrics"][string]): Record<string, Score> {
  return Object.fromEntries(Object.entries(scores).map(([name, summary]) => [name, scoreOf(summary)]))
}

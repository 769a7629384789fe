import type { EvaluationConfigBody, EvaluationSample, EvaluationTargetBody } from "@assay/schemas"
import type { JobEnvironment } from "../job-environment.ts"
import { planJob } from "../plan/plan-job.ts"
import type { JobPlan } from "../plan/task-plan.ts"
import type { BoundMetric, ScoreOptions, SourceRow } from "@assay/scoring"
import { testEnvironment } from "./test-environment.ts"

/** Plans a job of workspace `default`. */
export function planOf(
  target: EvaluationTargetBody,
  config: EvaluationConfigBody,
  environment: JobEnvironment = testEnvironment(),
): Promise<JobPlan> {
  return planJob({ target, config, namespace: "default" }, environment, { signal: new AbortController().signal })
}

/** Plans one `data` task with metrics over rows that are written out. */
export function planOfRows(
  rows: NonNullable<EvaluationTargetBody["rows"]>,
  metrics: NonNullable<EvaluationConfigBody["tasks"]>[string]["metrics"],
  environment?: JobEnvironment,
): Promise<JobPlan> {
  const tasks = { qa: { type: "data", ...(metrics === undefined ? {} : { metrics }) } }
  return planOf({ type: "rows", rows }, { type: "custom", tasks }, environment)
}

/** A row of a plan with its sample and its scores. */
export interface ScoredRow {
  readonly task: string
  readonly item: SourceRow["item"]
  readonly fault?: string
  readonly sample?: EvaluationSample
  /** By metric. */
  readonly outcomes: Readonly<Record<string, Awaited<ReturnType<BoundMetric["score"]>>>>
}

/** Runs a plan row by row, without the engine, and closes it. */
export async function scorePlan(
  plan: JobPlan,
  { onRetry = () => {} }: Partial<Pick<ScoreOptions, "onRetry">> = {},
): Promise<readonly ScoredRow[]> {
  const { signal } = new AbortController()
  const scored: ScoredRow[] = []
  try {
    for (const { name, rows, ask, metrics } of plan.tasks) {
      for await (const batch of rows.open(signal)) {
        for (const { item, fault } of batch) {
          if (fault !== undefined) {
            scored.push({ task: name, item, fault, outcomes: {} })
            continue
          }
          const sample = ask.kind === "given" ? ask.take(item, 0) : await ask.call(item, { repeat: 0, signal, onRetry })
          const outcomes: Record<string, ScoredRow["outcomes"][string]> = {}
          for (const metric of metrics) outcomes[metric.key] = await metric.score({ item, sample }, { signal, onRetry })
          scored.push({ task: name, item, sample, outcomes })
        }
      }
    }
  } finally {
    await plan.close()
  }
  return scored
}

import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import type { JobEnvironment } from "../job-environment.ts"
import { planJob } from "../plan/plan-job.ts"
import type { JobPlan } from "../plan/task-plan.ts"
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

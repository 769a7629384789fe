import { AssayError, isAssayError } from "@assay/schemas"
import type { JobEnvironment } from "../job-environment.ts"
import type { RunnableJob } from "../jobs/runnable-job.ts"
import { createDatasetPool } from "./dataset-pool.ts"
import { createModelPool } from "./model-pool.ts"
import type { PlanContext } from "./plan-context.ts"
import { shapePlan } from "./shape-plan.ts"
import type { JobPlan, TaskPlan } from "./task-plan.ts"
import type { TaskShape } from "./task-shape.ts"
import { withScope } from "./with-scope.ts"

export interface PlanJobOptions {
  readonly signal: AbortSignal
}

/**
 * Opens what a job reads, asks and scores with. Under the scope `score` metrics are added to its tasks, and no row is
 * read again. Close it.
 * @throws the first issue of `shapePlan`; the world's errors; `invalid_request` for a benchmark, which its harness runs
 */
export async function planJob(
  job: Pick<RunnableJob, "target" | "config" | "namespace"> & Partial<Pick<RunnableJob, "scope">>,
  environment: JobEnvironment,
  { signal }: PlanJobOptions,
): Promise<JobPlan> {
  if (job.config.type === "benchmark")
    throw new AssayError("invalid_request", "A benchmark has no plan: its harness runs it.")
  const scope = job.scope ?? { kind: "run" }
  const { tasks, issues } = shapePlan(job.target, withScope(job.config, scope))
  const [first] = issues
  if (first !== undefined) throw new AssayError(first.code, issues.map(({ message }) => message).join(" "))
  const models = createModelPool(environment)
  const closers: (() => Promise<void>)[] = [() => models.close()]
  const datasets = createDatasetPool(environment, job, signal)

  async function close(): Promise<void> {
    for (const one of closers.toReversed()) await one()
  }

  const context: PlanContext = {
    environment,
    models,
    openDataset: datasets.open,
    onClose: (one) => closers.push(one),
    signal,
  }
  try {
    const plans: TaskPlan[] = []
    for (const task of tasks) plans.push(await openTask(task, context, scope.kind === "score"))
    return { tasks: plans, pins: datasets.pins, close }
  } catch (error) {
    await close().catch(() => {})
    throw isAssayError(error) || !signal.aborted ? error : signal.reason
  }
}

async function openTask(shape: TaskShape, context: PlanContext, isScoring: boolean): Promise<TaskPlan> {
  const { name, group, run } = shape
  return {
    name,
    rows: isScoring ? countedRows(shape, context) : await shape.openRows(context),
    ask: isScoring ? NO_ASK : await shape.openAsk(context),
    metrics: await Promise.all(shape.metrics.map((metric) => metric.bind(context))),
    repeats: run.repeats,
    parallelism: run.parallelism,
    maxFailedShare: run.maxFailedShare,
    ...(run.clusterBy === undefined ? {} : { clusterBy: run.clusterBy }),
    ...(group === undefined ? {} : { group }),
  }
}

/** Nothing is read of a job that is scored anew: its rows are in its journal. Their number is known where the dataset is still there. */
function countedRows(shape: TaskShape, context: PlanContext): TaskPlan["rows"] {
  return {
    async *open() {},
    count: async (signal) => (await shape.openRows(context)).count(signal),
  }
}

const NO_ASK: TaskPlan["ask"] = {
  kind: "given",
  take: () => ({ output_text: null, response: null, usage: null, latency_ms: null, finish_reason: null }),
}

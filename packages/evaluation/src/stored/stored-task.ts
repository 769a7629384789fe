import { AssayError } from "@assay/schemas"
import { rowOrder } from "@assay/results"
import type { BoundMetric, ScoringContext } from "@assay/scoring"
import type { JobEnvironment } from "../job-environment.ts"
import { NO_ASK, type RandomOrder } from "../plan/plan-job.ts"
import type { RunnableJob } from "../plan/runnable-job.ts"
import type { JobPlan, TaskPlan } from "../plan/task-plan.ts"

/** A job whose rows are stored. */
export interface StoredJob extends Pick<RunnableJob, "id" | "target" | "config"> {
  /** The units of each task: its rows times their repeats. */
  readonly units: Readonly<Record<string, number>>
}

/** The environment of a job whose rows are stored: it has no datasets, and its models are not asked. */
export type StoredEnvironment = ScoringContext["environment"] & Pick<JobEnvironment, "openBaseline">

/** The plan of a job whose rows are stored. */
export interface StoredPlan extends Pick<JobPlan, "tasks" | "gates" | "pins" | "close"> {
  /** Metrics that can't be computed again, by `task.metric`, with the reason. */
  readonly unbound: ReadonlyMap<string, string>
}

type TaskFields = Pick<TaskPlan, "name" | "repeats" | "maxFailedShare" | "clusterBy" | "slices" | "group">

/** Returns a task whose rows are only counted. @throws `bad_document` without a number of units */
export function storedTask(
  { name, repeats, maxFailedShare, clusterBy, slices, group }: TaskFields,
  metrics: readonly BoundMetric[],
  { units }: Pick<StoredJob, "units">,
): TaskPlan {
  const count = Object.hasOwn(units, name) ? units[name] : undefined
  if (count === undefined) throw new AssayError("bad_document", `The task '${name}' has no number of rows.`)
  const rows = { async *open() {}, count: () => Promise.resolve(Math.ceil(count / repeats)) }
  const limits = { parallelism: 1, maxFailedShare, shardRows: 1 }
  return { name, rows, ask: NO_ASK, metrics, repeats, ...limits, clusterBy, slices, group }
}

/** Returns the order in which a run asked its rows, if gates or a budget could end it. */
export function orderOfRun(
  { id, config }: Pick<StoredJob, "id" | "config">,
  environment: RandomOrder["environment"],
): RandomOrder {
  const hasBudget = config.params?.budget !== undefined
  return { config, hasBudget, keepsOrder: true, seed: rowOrder.seedOf(id), environment }
}

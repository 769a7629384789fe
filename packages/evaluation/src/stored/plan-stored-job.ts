import { AssayError, isAssayError } from "@assay/schemas"
import { otherResults, resultScores } from "@assay/results"
import { type BoundMetric, createModelPool, type MetricDefinition, type ScoringContext } from "@assay/scoring"
import { inRandomOrder } from "../plan/plan-job.ts"
import { shapePlan } from "../plan/shape-plan.ts"
import type { TaskPlan } from "../plan/task-plan.ts"
import { orderOfRun, type StoredEnvironment, type StoredJob, type StoredPlan, storedTask } from "./stored-task.ts"

/**
 * Plans a job to score its stored rows again and to count them. No dataset is opened, and nothing is asked. Close the plan after use.
 * @throws the first issue of `shapePlan`; `bad_document` for a task without a number of units
 */
export async function planStoredJob(
  job: StoredJob,
  environment: StoredEnvironment,
  signal: AbortSignal,
): Promise<StoredPlan> {
  const { tasks: shapes, gates, issues } = shapePlan(job.target, job.config)
  const [first] = issues
  if (first !== undefined) throw new AssayError(first.code, issues.map(({ message }) => message).join(" "))
  const models = createModelPool(environment)
  const closers: (() => Promise<void>)[] = [() => models.close()]
  const context: ScoringContext = {
    environment: otherResults.withAnswers(environment),
    models,
    signal,
    onClose: (one) => closers.push(one),
  }
  const unbound = new Map<string, string>()
  const close = async (): Promise<void> => {
    for (const one of closers.toReversed()) await one()
  }
  try {
    const tasks: TaskPlan[] = []
    for (const { name, group, run, metrics } of shapes) {
      const bound = await Promise.all(metrics.map((metric) => bind(metric, { task: name, job, context, unbound })))
      tasks.push(inRandomOrder(storedTask({ ...run, name, group }, bound, job), gates, orderOfRun(job, environment)))
    }
    return { tasks, unbound, gates, pins: [], close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

interface Binding {
  readonly task: string
  readonly job: StoredJob
  readonly context: ScoringContext
  readonly unbound: Map<string, string>
}

/** Opens a metric. One that lacks something of the run, such as a price table, keeps the scores that rows have. */
async function bind(definition: MetricDefinition, { task, job, context, unbound }: Binding): Promise<BoundMetric> {
  const { key, type, scores } = definition
  try {
    return await definition.bind(context)
  } catch (error) {
    if (!isAssayError(error)) throw error
    unbound.set(`${task}.${key}`, error.message)
    const isAmount = scores.some((score) => resultScores.isAmount(job.config, { task, metric: key, score }))
    return { key, type, scores, isAmount, isRemote: false, score: () => ({ scores: {} }) }
  }
}

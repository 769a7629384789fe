import { AssayError, isAssayError, type DatasetPin, type EvaluationConfigBody, pricesOfJob } from "@assay/schemas"
import { createRateCeiling } from "@assay/inference"
import { NO_PATIENCE } from "@assay/storage"
import { otherResults, rowOrder } from "@assay/results"
import { openRowOrder, type RowOrder } from "../gates/open-row-order.ts"
import type { PlannedGate } from "../gates/plan-gates.ts"
import { readInOrder } from "../gates/read-in-order.ts"
import { withHiddenKeys } from "../recording/hide-keys.ts"
import { openRecording } from "../recording/open-recording.ts"
import { datasetReferenceOf } from "../datasets/files-url.ts"
import type { JobEnvironment, OpenedDataset } from "../job-environment.ts"
import type { JobScope, RunnableJob } from "./runnable-job.ts"
import { createModelPool, taskMetrics } from "@assay/scoring"
import { shapePlan, type PlanShape } from "./shape-plan.ts"
import type { JobPlan, TaskPlan } from "./task-plan.ts"
import type { PlanContext, TaskShape } from "./task-shape.ts"

export interface PlanJobOptions {
  readonly signal: AbortSignal
  /** The shape of the job's target and configuration, if it is known already. Under the scope `score`, it has the added metrics. */
  readonly shape?: PlanShape | undefined
  /** The part of this process in the rate of the job. Default: all of it. */
  readonly ofRate?: RateShare | undefined
  /** Whether rows stay in the order of their dataset, also if gates or a budget can end the job: the caller reads them in another one. Default false. */
  readonly keepsOrder?: boolean | undefined
  /** Returns whether a storage that gives this error is waited for. Default: all that the outages of the environment wait for. */
  readonly isWorthWaiting?: ((error: AssayError) => boolean) | undefined
}

/** The part of a process in the rate of a job that others share. */
export interface RateShare {
  /** Returns the part that it may use now, above 0 and up to 1. */
  readonly share: () => number
  /** Returns the milliseconds until its first request, if the time between two of its requests is `spacing` milliseconds. */
  readonly firstMs: (spacing: number) => number
}

type JobToPlan = Pick<RunnableJob, "target" | "config" | "namespace"> & Partial<Pick<RunnableJob, "id" | "scope">>

/**
 * Shapes a job once, and opens its datasets, models and metrics. Storage that does not respond is waited for. Under the scope `score`,
 * metrics are added to its tasks, and no row is read again. Close the plan after use.
 * @throws the first issue of `shapePlan`; errors of the environment; `invalid_request` for a benchmark, which its harness runs
 */
export async function planJob(
  job: JobToPlan,
  environment: JobEnvironment,
  { signal, shape, ofRate, keepsOrder, isWorthWaiting }: PlanJobOptions,
): Promise<JobPlan> {
  if (job.config.type === "benchmark")
    throw new AssayError("invalid_request", "A benchmark has no plan: its harness runs it.")
  const scope = job.scope ?? { kind: "run" }
  const shaped = shape ?? shapePlan(job.target, configOfScope(job.config, scope))
  const [first] = shaped.issues
  if (first !== undefined) throw new AssayError(first.code, shaped.issues.map(({ message }) => message).join(" "))
  const { outages = NO_PATIENCE } = environment
  const limited = withRate(withRecording(environment, shaped), job.config, ofRate)
  return outages.outlast(() => openPlan({ ...job, scope, keepsOrder }, shaped, limited, signal), {
    signal,
    isWorthWaiting,
  })
}

/** Returns the environment with a recording, if a task needs one: an answered turn is never asked again. */
function withRecording(environment: JobEnvironment, { tasks }: PlanShape): JobEnvironment {
  const { recording, responseCacheFolder: folder } = environment
  if (recording !== undefined || folder === undefined || !tasks.some(({ isRecorded }) => isRecorded === true)) {
    return withHiddenKeys(environment)
  }
  return withHiddenKeys({ ...environment, recording: openRecording(folder) })
}

/** Returns the environment with the rate of a job, which all of its requests share. */
function withRate(
  environment: JobEnvironment,
  { params }: EvaluationConfigBody,
  shared: RateShare | undefined,
): JobEnvironment {
  const rate = params?.rate ?? undefined
  if (rate === undefined) return environment
  const { inference } = environment
  const perSecond = () => rate * (shared?.share() ?? 1)
  const firstMs = shared && (() => shared.firstMs(1000 / perSecond()))
  return { ...environment, inference: { ...inference, ceiling: createRateCeiling(inference, { perSecond, firstMs }) } }
}

async function openPlan(
  job: JobToPlan & Pick<RunnableJob, "scope"> & Pick<PlanJobOptions, "keepsOrder">,
  { tasks, gates }: PlanShape,
  environment: JobEnvironment,
  signal: AbortSignal,
): Promise<JobPlan> {
  const { scope, keepsOrder = false } = job
  const { budget } = job.config.params ?? {}
  const models = createModelPool(environment)
  const closers: (() => Promise<void>)[] = [() => models.close()]
  const datasets = createDatasetPool(environment, job, signal)

  async function close(): Promise<void> {
    for (const one of closers.toReversed()) await one()
  }

  const context: PlanContext = {
    environment: otherResults.withAnswers({ ...environment, prices: pricesOfJob(job.config, environment.prices) }),
    models,
    openDataset: datasets.open,
    onClose: (one) => closers.push(one),
    signal,
  }
  try {
    const plans: TaskPlan[] = []
    for (const task of tasks) {
      const plan = await openTask(task, context, scope.kind === "score")
      plans.push(
        scope.kind === "score"
          ? plan
          : inRandomOrder(plan, gates, {
              config: job.config,
              hasBudget: budget !== undefined,
              keepsOrder,
              seed: rowOrder.seedOf(job.id ?? ""),
              environment,
            }),
      )
    }
    return { tasks: plans, budget, gates, pins: datasets.pins, close }
  } catch (error) {
    await close().catch(() => {})
    throw isAssayError(error) || !signal.aborted ? error : signal.reason
  }
}

/** Returns the configuration of an attempt. Under `score` it has the added metrics besides those with scores in the journal. */
export function configOfScope(config: EvaluationConfigBody, scope: JobScope): EvaluationConfigBody {
  if (scope.kind !== "score") return config
  const added = Object.entries(scope.metrics).map(([name, metrics]) => {
    const task = config.tasks?.[name] ?? {}
    return [name, { ...task, metrics: { ...taskMetrics(config, task), ...metrics } }] as const
  })
  return { ...config, tasks: { ...config.tasks, ...Object.fromEntries(added) } }
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
    shardRows: run.shardRows,
    clusterBy: run.clusterBy,
    slices: run.slices,
    group,
  }
}

/**
 * Lets a task end when its gates are decided, if all of them are early. Its rows come in random order then, and also if the job has a budget:
 * the first rows of a sorted dataset would say nothing about the others.
 */
export function inRandomOrder(
  task: TaskPlan,
  allGates: readonly PlannedGate[],
  { config, hasBudget, keepsOrder, seed, environment: { openBaseline, outages = NO_PATIENCE } }: RandomOrder,
): TaskPlan {
  const gates = allGates.filter((gate) => gate.task === task.name)
  const isEarly = gates.length > 0 && gates.every((gate) => gate.isEarly)
  if (!isEarly && !hasBudget) return task
  let opening: Promise<RowOrder> | undefined
  const getOrder = (signal: AbortSignal) => (opening ??= openRowOrder(task.rows, seed, signal))
  const rows = keepsOrder ? task.rows : readInOrder(task.rows, getOrder)
  if (!isEarly) return { ...task, rows }
  const getReferences = (signal: AbortSignal) =>
    outages.outlast(() => otherResults.readReferences({ gates, config }, openBaseline, signal), { signal })
  return { ...task, rows, early: { gates, getOrder, getReferences } }
}

export interface RandomOrder {
  readonly config: EvaluationConfigBody
  readonly environment: Pick<JobEnvironment, "openBaseline" | "outages">
  readonly hasBudget: boolean
  readonly keepsOrder: boolean
  readonly seed: number
}

/** Returns rows that are only counted, from the dataset if it still exists: scoring reads rows from the journal. */
function countedRows(shape: TaskShape, context: PlanContext): TaskPlan["rows"] {
  return {
    async *open() {},
    count: async (signal) => (await shape.openRows(context)).count(signal),
  }
}

export const NO_ASK: TaskPlan["ask"] = {
  kind: "given",
  take: () => ({ output_text: null, response: null, usage: null, latency_ms: null, finish_reason: null }),
}

/** The datasets of a job. Each is opened once. */
interface DatasetPool {
  readonly open: PlanContext["openDataset"]
  /** The pins of the open datasets. */
  readonly pins: readonly DatasetPin[]
}

function createDatasetPool(
  { openDataset }: Pick<JobEnvironment, "openDataset">,
  { namespace: workspace }: Pick<RunnableJob, "namespace">,
  signal: AbortSignal,
): DatasetPool {
  const opening = new Map<string, Promise<OpenedDataset>>()
  const pins: DatasetPin[] = []
  return {
    pins,
    async open(dataset) {
      const reference = datasetReferenceOf(dataset, workspace)
      const filesUrl = typeof reference === "string" ? reference : reference.text
      const known = opening.get(filesUrl)
      if (known !== undefined) return known
      const opened = openDataset(reference, { signal })
      opening.set(filesUrl, opened)
      pins.push((await opened).pin)
      return opened
    },
  }
}

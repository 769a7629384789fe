import {
  AssayError,
  type ConversationTurn,
  ERROR_CATALOGUE,
  type ErrorCode,
  type EvaluationRow,
  type EvaluationTargetBody,
} from "@assay/schemas"
import { type RowsReader, storedRows } from "@assay/results"
import { METRIC_TASKS, type RowSource, type SourceRow } from "@assay/scoring"
import { endsJob } from "../engine/failures.ts"
import type { JobEnvironment } from "../job-environment.ts"
import type { AskedSample } from "./ask.ts"
import { configOfScope, planJob } from "./plan-job.ts"
import type { RunnableJob } from "./runnable-job.ts"
import { type PlanShape, shapePlan } from "./shape-plan.ts"
import type { JobPlan } from "./task-plan.ts"
import type { TaskShape } from "./task-shape.ts"

type JobToRescore = Pick<RunnableJob, "id" | "namespace" | "target" | "config"> & Partial<Pick<RunnableJob, "scope">>

interface OutputsToScore {
  /** The rows of the job whose outputs are scored. */
  readonly rows: Pick<RowsReader, "bytes" | "slice">
  /** The name that each task has in them. */
  readonly taskOf: (task: string) => string
}

/** Stands for the rows of a target that is not asked. */
const NO_TARGET: EvaluationTargetBody = { type: "rows", rows: [{}] }

/** Types of tasks whose metrics depend on how their target is asked. */
const NEED_TARGET: ReadonlySet<string> = new Set([...METRIC_TASKS.likelihood, "conversation", "agent"])

/** Shapes a job whose outputs exist. Its target is not asked, so faults of the target are not found. */
function shapeRescoring(job: Pick<JobToRescore, "target" | "config">): PlanShape {
  return shapePlan(shapedTarget(job), job.config)
}

/** Returns the target that the plan of a rescoring is shaped with: its own if the metrics depend on it. */
function shapedTarget({ target, config }: Pick<JobToRescore, "target" | "config">): EvaluationTargetBody {
  const needsTarget = Object.values(config.tasks ?? {}).some(({ type }) => NEED_TARGET.has(type ?? ""))
  return needsTarget || config.type === "content_safety" ? target : NO_TARGET
}

/**
 * Plans a job that computes scores of outputs which exist. It asks judges and nothing else: rows and outputs come from the rows of an earlier job. A row
 * without an output fails as it did there. Close the plan after use.
 * @throws the first issue of the shape; errors of the environment
 */
async function planRescoring(
  job: JobToRescore,
  environment: JobEnvironment,
  { outputs, signal }: { readonly outputs: OutputsToScore; readonly signal: AbortSignal },
): Promise<JobPlan> {
  const { target, config, scope = { kind: "run" } } = job
  const shape = shapeRescoring({ target, config: configOfScope(config, scope) })
  const tasks = shape.tasks.map((task) => withOutputs(task, outputs))
  return planJob(job, environment, { signal, shape: { ...shape, tasks }, keepsOrder: true })
}

function withOutputs(task: TaskShape, { rows, taskOf }: OutputsToScore): TaskShape {
  const repeatsOf = new WeakMap<SourceRow["item"], readonly (EvaluationRow | undefined)[]>()
  const asksJudge = task.metrics.some(({ endpoints }) => endpoints.length > 0)
  const read = (signal: AbortSignal) => storedRows.outputs(rows, taskOf(task.name), signal)
  const source: RowSource = {
    async *open(signal) {
      for await (const batch of read(signal)) {
        for (const { item, repeats } of batch) repeatsOf.set(item, repeats)
        yield batch.map(({ row_index: index, item }) => ({ index, item }))
      }
    },
    async count(signal) {
      // Rows that need no request are scored as fast as they are counted.
      if (!asksJudge) throw new AssayError("unsupported", "The rows are counted when they are scored.")
      let count = 0
      for await (const batch of read(signal)) count += batch.length
      return count
    },
  }
  return {
    ...task,
    openRows: () => Promise.resolve(source),
    openAsk: () => Promise.resolve({ kind: "given", take: (item, repeat) => outputOf(repeatsOf.get(item)?.[repeat]) }),
  }
}

/** Returns the output of a row, and the turns of a conversation. @throws the error that it had */
function outputOf(row: EvaluationRow | undefined): AskedSample {
  if (row === undefined) throw new AssayError("rows_invalid", "The earlier job has not asked this row so often.")
  if (row.sample !== null) return row.turns === undefined ? row.sample : { ...row.sample, turns: turnsOf(row.turns) }
  const { code, message } = row.error ?? { code: "", message: "no reason is known" }
  const known = isCode(code) ? new AssayError(code, message) : undefined
  // The other rows do not fail the same way here.
  if (known !== undefined && !endsJob(known)) throw known
  throw new AssayError("rows_invalid", `The earlier job has no output of this row: ${message}`)
}

/** Returns turns without their earlier scores. */
function turnsOf(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns.map((turn) => ({ ...turn, scores: {} }))
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code)
}

/** Jobs that compute scores of outputs which exist. */
export const rescoring = Object.freeze({
  plan: planRescoring,
  shape: shapeRescoring,
  targetOf: shapedTarget,
  noTarget: NO_TARGET,
})

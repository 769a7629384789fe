import { AssayError, isAssayError, type EvaluationSample } from "@assay/schemas"
import { planJob } from "../plan/plan-job.ts"
import { shapePlan } from "../plan/shape-plan.ts"
import type { BoundMetric, SourceRow, TaskPlan } from "../plan/task-plan.ts"
import { formatLimit, type CheckRun } from "./check-run.ts"
import { failedCheck, type FailedCheck } from "./failed-check.ts"
import type { LaunchSubject } from "./launch-subject.ts"
import type { LaunchPorts } from "./launch-ports.ts"

/** An answer that every judge can say something about. */
const EXAMPLE: EvaluationSample = {
  output_text: "The capital of France is Paris.",
  response: { choices: [{ index: 0, message: { role: "assistant", content: "The capital of France is Paris." } }] },
  usage: { prompt_tokens: 8, completion_tokens: 8, total_tokens: 16 },
  latency_ms: 100,
  finish_reason: "stop",
}

/**
 * Has each judge look at a known answer to the first row. One whose verdict can't be read is a warning; whatever else goes wrong is
 * for other checks to tell.
 */
export async function checkJudgeFormat(
  subject: LaunchSubject,
  environment: LaunchPorts,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  const outcome = await run.run(
    "judge_format",
    (signal) => tryJudges(subject, environment, signal),
    () => tooSlow(run),
  )
  if ("failed" in outcome) return outcome.failed.code === "request_timeout" ? [outcome.failed] : []
  return outcome.value
}

async function tryJudges(
  subject: LaunchSubject,
  environment: LaunchPorts,
  signal: AbortSignal,
): Promise<readonly FailedCheck[]> {
  // What is no configuration that can be planned is told by the check of its shape.
  if (subject.config.type === "benchmark" || !hasJudge(subject)) return []
  const plan = await planJob(subject, environment, { signal })
  try {
    const tried = await Promise.all(plan.tasks.map((task) => tryTask(task, signal)))
    return tried.flat()
  } finally {
    await plan.close()
  }
}

function hasJudge({ target, config }: LaunchSubject): boolean {
  return shapePlan(target, config).tasks.some(({ metrics }) => metrics.some(({ endpoints }) => endpoints.length > 0))
}

async function tryTask(task: TaskPlan, signal: AbortSignal): Promise<readonly FailedCheck[]> {
  const judges = task.metrics.filter(({ isRemote, type }) => isRemote && type !== "remote")
  const first = judges.length === 0 ? undefined : await firstRow(task, signal)
  if (first === undefined) return []
  const tried = await Promise.all(judges.map((judge) => tryJudge(task.name, judge, { item: first.item, signal })))
  return tried.flat()
}

async function firstRow({ rows }: TaskPlan, signal: AbortSignal): Promise<SourceRow | undefined> {
  for await (const batch of rows.open(signal)) {
    const good = batch.find(({ fault }) => fault === undefined)
    if (good !== undefined) return good
  }
  return undefined
}

interface Trial {
  readonly item: SourceRow["item"]
  readonly signal: AbortSignal
}

async function tryJudge(task: string, judge: BoundMetric, { item, signal }: Trial): Promise<readonly FailedCheck[]> {
  try {
    const { unreadable } = await judge.score({ item, sample: EXAMPLE }, { signal, onRetry: () => {} })
    return unreadable === undefined ? [] : [failedCheck("judge_format", missesFormat(task, judge.key, unreadable))]
  } catch (error) {
    // That an endpoint fails is told by the check of endpoints; here only what a judge said counts.
    return isAssayError(error) && SAID.has(error.code) ? [failedCheck("judge_format", error)] : []
  }
}

const SAID: ReadonlySet<string> = new Set([
  "judge_output_unreadable",
  "judge_budget_exhausted",
  "judge_refused",
  "parameter_unsupported",
])

const SHOWN = 200

function missesFormat(
  task: string,
  metric: string,
  { reason, raw }: { readonly reason: string; readonly raw: string },
): AssayError {
  const said = raw.length > SHOWN ? `${raw.slice(0, SHOWN)}…` : raw
  const message = `The judge of metric '${metric}' in task '${task}' missed the required format on a known example (${reason}); it said '${said}'.`
  return new AssayError("judge_output_unreadable", message, { context: { task, metric, reason } })
}

function tooSlow({ limitMs }: CheckRun): AssayError {
  const message = `A judge did not answer about a known example within ${formatLimit(limitMs)}; rows may take as long.`
  return new AssayError("request_timeout", message)
}

import type { JudgedPrompt } from "@assay/guardrails"
import { AssayError, isAssayError, type EvaluationSample } from "@assay/schemas"
import { planJob, type TaskPlan } from "@assay/evaluation"
import type { BoundMetric, SourceRow } from "@assay/scoring"
import type { LaunchPorts } from "./launch-ports.ts"
import { type CheckOutcome, type CheckRun, type FailedCheck, failedCheck, formatLimit } from "./check-run.ts"
import type { ShapedSubject } from "./check-shape.ts"

/** An answer that every judge can score. */
const EXAMPLE: EvaluationSample = {
  output_text: "The capital of France is Paris.",
  response: { choices: [{ index: 0, message: { role: "assistant", content: "The capital of France is Paris." } }] },
  usage: { prompt_tokens: 8, completion_tokens: 8, total_tokens: 16 },
  latency_ms: 100,
  finish_reason: "stop",
}

/** An answer that a judge of pairs compares with it. */
const OTHER = "Paris."

/**
 * Lets each judge of a metric score a known answer to the first row, and each judge of a calibration judge the first prompt. A judge
 * whose verdict can't be read is a warning. Other checks report all other faults.
 */
export async function checkJudgeFormat(
  subject: ShapedSubject,
  environment: LaunchPorts,
  run: CheckRun,
): Promise<readonly FailedCheck[]> {
  const { config, shape } = subject
  const hasJudge = shape.tasks.some(
    ({ isTried, metrics }) => isTried === true || metrics.some(({ endpoints }) => endpoints.length > 0),
  )
  if (config.type === "benchmark" || !hasJudge) return []
  const end = run.begin("judge_format", [])
  const outcome = await run.run(
    "judge_format",
    (signal) => tryJudges(subject, environment, signal),
    () => tooSlow(run),
  )
  return end({ failed: [], warnings: warningsOf(outcome) }).warnings
}

function warningsOf(outcome: CheckOutcome<readonly FailedCheck[]>): readonly FailedCheck[] {
  if (!("failed" in outcome)) return outcome.value
  return outcome.failed.code === "request_timeout" ? [outcome.failed] : []
}

async function tryJudges(
  subject: ShapedSubject,
  environment: LaunchPorts,
  signal: AbortSignal,
): Promise<readonly FailedCheck[]> {
  const plan = await planJob(subject, environment, { signal, shape: subject.shape })
  try {
    const judges = new Set(subject.shape.tasks.filter(({ isTried }) => isTried === true).map(({ name }) => name))
    const tried = await Promise.all(plan.tasks.map((task) => tryTask(task, judges.has(task.name), signal)))
    return tried.flat()
  } finally {
    await plan.close()
  }
}

async function tryTask(task: TaskPlan, isTried: boolean, signal: AbortSignal): Promise<readonly FailedCheck[]> {
  const judges = task.metrics.filter(({ isRemote, type }) => isRemote && type !== "remote")
  const first = judges.length === 0 && !isTried ? undefined : await firstRow(task, signal)
  if (first === undefined) return []
  const trial = { item: first.item, signal }
  const tried = await Promise.all([
    ...judges.map((judge) => tryJudge(task.name, judge, trial)),
    ...(isTried ? [tryGuardrail(task, trial)] : []),
  ])
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
    const { unreadable } = await judge.score(
      { item, sample: EXAMPLE },
      { signal, onRetry: () => {}, comparedWith: OTHER },
    )
    return unreadable === undefined ? [] : [failedCheck("judge_format", missesFormat(task, judge.key, unreadable))]
  } catch (error) {
    return answerErrors(error)
  }
}

async function tryGuardrail({ name, ask }: TaskPlan, { item, signal }: Trial): Promise<readonly FailedCheck[]> {
  if (ask.kind !== "call") return []
  try {
    const { response } = await ask.call(item, { repeat: 0, signal, onRetry: () => {} })
    const { outcome, reason = "no_verdict", raw = "" } = response as JudgedPrompt
    if (outcome !== "unreadable") return []
    const message = `Judge '${name}' gave no verdict on the first prompt that can be read (${reason}); it said '${shown(raw)}'.`
    const context = { task: name, reason }
    return [failedCheck("judge_format", new AssayError("judge_output_unreadable", message, { context }))]
  } catch (error) {
    return answerErrors(error)
  }
}

/** Returns the faults of the answer of a judge. Failures of its endpoint are reported by another check. */
function answerErrors(error: unknown): readonly FailedCheck[] {
  return isAssayError(error) && ANSWER_ERRORS.has(error.code) ? [failedCheck("judge_format", error)] : []
}

/** Errors about the answer of a judge, not about its endpoint. */
const ANSWER_ERRORS: ReadonlySet<string> = new Set([
  "judge_output_unreadable",
  "judge_budget_exhausted",
  "judge_refused",
  "parameter_unsupported",
])

const MAX_SHOWN = 200

function missesFormat(
  task: string,
  metric: string,
  { reason, raw }: { readonly reason: string; readonly raw: string },
): AssayError {
  const message = `The judge of metric '${metric}' in task '${task}' missed the required format on a known example (${reason}); it said '${shown(raw)}'.`
  return new AssayError("judge_output_unreadable", message, { context: { task, metric, reason } })
}

function shown(raw: string): string {
  return raw.length > MAX_SHOWN ? `${raw.slice(0, MAX_SHOWN)}…` : raw
}

function tooSlow({ limitMs }: CheckRun): AssayError {
  const message = `A judge did not answer about a known example within ${formatLimit(limitMs)}; rows may take as long.`
  return new AssayError("request_timeout", message)
}

import type { JobEnvironment, JobPlan, RunnableJob } from "@assay/evaluation"
import type { RunOutcome } from "./job-progress.ts"
import type { Evaluate, RunEvaluationOptions } from "./run-evaluation.ts"

/** The job whose outputs another job scores. */
export interface OutputsSource {
  readonly id: string
  /** Opens its outputs for an attempt. @throws coded errors, with which the attempt fails */
  open(job: RunnableJob, environment: JobEnvironment, signal: AbortSignal): Promise<OpenedOutputs>
}

export interface OpenedOutputs {
  /** Takes rows and outputs from the source, and asks no target. */
  readonly plan: JobPlan
  /** Returns why a number of scored rows decides nothing: the source did not ask all of its rows. Undefined: it did. */
  readonly faultOf: (processed: number) => string | undefined
}

/** Runs an attempt of a job that scores the outputs of another one. If that one did not ask all of its rows, the job fails. */
export async function scoreOutputs(
  evaluate: Evaluate,
  { job, environment, source, options }: ScoreOutputsOptions,
): Promise<RunOutcome> {
  let opened: OpenedOutputs | undefined
  const openPlan = async () => {
    opened = await source.open(job, environment, options.signal)
    return opened.plan
  }
  const ended = await evaluate(job, environment, { ...options, openPlan })
  const fault = ended.status === "COMPLETED" ? opened?.faultOf(ended.progress.processed) : undefined
  const outcome: RunOutcome = fault === undefined ? ended : { ...ended, status: "FAILED", message: fault }
  const { result } = outcome
  return result === null ? outcome : { ...outcome, result: { ...result, rescored_from: source.id } }
}

export interface ScoreOutputsOptions {
  readonly job: RunnableJob
  readonly environment: JobEnvironment
  readonly source: OutputsSource
  readonly options: RunEvaluationOptions
}

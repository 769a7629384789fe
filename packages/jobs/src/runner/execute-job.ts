import { describeProgress, type RunOutcome, setOutcome, spanOfJob } from "@assay/attempts"
import { FIRST_LEASE_MS, JOB_LEASE_MS, type JobEnd, type JobRun } from "@assay/registry"
import { NO_PATIENCE, type Outages } from "@assay/storage"
import { AssayError, isAssayError, type JobStatus, messageOf } from "@assay/schemas"
import { type Span, traceWork } from "@assay/telemetry"
import { createJobReport, type JobReport } from "./job-report.ts"
import type { ResultsToPublish } from "./job-setting.ts"
import { failedOutcome, runLeasedAttempt, withoutFiles, type AttemptOptions } from "./run-leased-attempt.ts"

/** Why a job stops before its end: a user cancels it, the runner closes, or another runner has the job. */
export type StopReason = "cancelled" | "closing" | "lost"

/** A job that this process runs. */
export interface ExecutedJob {
  /** Renews the lease, and sends the news. Never throws. */
  beat(): Promise<void>
  stop(reason: StopReason): void
  /** Resolves when the job has ended or was released. */
  readonly ended: Promise<void>
}

/** The job while this process runs it. */
interface Execution {
  readonly run: JobRun
  readonly options: AttemptOptions
  readonly report: JobReport
  readonly outages: Outages
  /** Aborted when the job must stop. */
  readonly stopping: AbortController
  /** Aborted when another runner has the job. After that, no request is sent and nothing is written. */
  readonly lost: AbortController
  readonly closing: AbortController
  reason: StopReason | undefined
  /** When the lease was renewed last. */
  heldSince: number
  leaseMs: number
}

/** Executes a job that was claimed, to its end or until it is stopped. */
export function executeJob(run: JobRun, options: AttemptOptions): ExecutedJob {
  const report = createJobReport()
  const closing = new AbortController()
  const execution: Execution = {
    run,
    options,
    report,
    outages: options.openOutages?.(report.log, closing.signal) ?? NO_PATIENCE,
    stopping: new AbortController(),
    lost: new AbortController(),
    closing,
    reason: undefined,
    heldSince: options.elapsed(),
    leaseMs: FIRST_LEASE_MS,
  }
  return {
    beat: () => beat(execution),
    stop: (reason) => stop(execution, reason),
    ended: traceExecution(execution),
  }
}

function stop(execution: Execution, why: StopReason): void {
  const { run, report, stopping, lost, closing } = execution
  if (why === "closing") closing.abort()
  if (why === "closing" && execution.reason === undefined) {
    report.stopping()
    void beat(execution)
  }
  execution.reason = why === "lost" ? why : (execution.reason ?? why)
  stopping.abort()
  if (why === "lost") lost.abort(new AssayError("runner_lost", `Another runner has the job '${run.job.id}' now.`))
}

/** Renews the lease, and sends the news. Never throws. */
async function beat(execution: Execution): Promise<void> {
  const { run, options, report, lost } = execution
  if (lost.signal.aborted) return
  const asked = options.elapsed()
  // A database that does not respond for the time of a lease may have given the job to another runner.
  const silence = setTimeout(stop, execution.leaseMs, execution, "lost")
  try {
    const status = await report.send((news) => run.beat(news))
    if (status === undefined) return stop(execution, "lost")
    execution.heldSince = asked
    execution.leaseMs = JOB_LEASE_MS
    if (status === "CANCELLING") stop(execution, "cancelled")
  } catch {
    // The next beat tries again. While the lease lasts, no other runner has the job.
    if (options.elapsed() - execution.heldSince >= execution.leaseMs) stop(execution, "lost")
  } finally {
    clearTimeout(silence)
  }
}

function traceExecution(execution: Execution): Promise<void> {
  const { job, attempt, claim } = execution.run
  const { now, telemetry } = execution.options
  const isFirst = claim === 1
  const waited = isFirst ? (now() - Date.parse(job.created_at)) / 1000 : undefined
  const attributes = {
    "assay.job.attempt": attempt.number,
    "assay.job.claim": claim,
    "assay.job.wait_seconds": waited,
  }
  return traceWork(telemetry, spanOfJob(job, { isFirst, attributes }), (span) => execute(execution, span))
}

async function execute(execution: Execution, span: Span | undefined): Promise<void> {
  const { run, options, report, stopping, lost, outages } = execution
  if (run.job.status === "CANCELLING") stop(execution, "cancelled")
  const { outcome, staged } = await runLeasedAttempt(run, options, {
    report,
    stopping: stopping.signal,
    lost: lost.signal,
    outages,
    beat: () => beat(execution),
    keepsResults: (status) => keepsResults(execution.reason, status),
  })
  const { reason } = execution
  if (reason === "cancelled") await cancelOnExecutor(execution)
  if (reason === "lost") span?.fail("runner_lost")
  else setOutcome(span, outcome)
  if (reason === "lost") return staged?.settle(false)
  if (reason === "closing" && outcome.status !== "COMPLETED") {
    await beat(execution)
    return run.release()
  }
  await end(execution, outcome, staged)
}

/** Stops what an engine has of a cancelled job: also if this runner was stopped before it looked, and an earlier one has submitted it. */
async function cancelOnExecutor({ run, options, report }: Execution): Promise<void> {
  await options.cancelOnExecutor?.(run.job).catch((error: unknown) => {
    report.log({ level: "error", message: `Its executor did not stop it: ${messageOf(error)}` })
  })
}

/** Returns whether this runner keeps the results. A released job gets them from the next runner, and a lost one from the runner that has it. */
function keepsResults(reason: StopReason | undefined, status: JobStatus): boolean {
  return reason !== "lost" && (reason !== "closing" || status === "COMPLETED")
}

async function end(execution: Execution, outcome: RunOutcome, staged: ResultsToPublish | undefined): Promise<void> {
  let arePublished = false
  try {
    arePublished = (await recordEnd(execution, outcome, staged)) !== undefined
  } catch (error) {
    // Without a response, the end may be on record: then these results are the published ones.
    if (staged === undefined || !isAssayError(error, "not_found")) throw error
    // The location of the results is gone. The record keeps the scores.
    const { run, options } = execution
    await recordEnd(execution, failedOutcome(error, withoutFiles(run, outcome), options.now), undefined)
  }
  await staged?.settle(arePublished).catch(() => {})
}

async function recordEnd(
  { run, report, outages }: Execution,
  outcome: RunOutcome,
  staged: ResultsToPublish | undefined,
): Promise<JobStatus | undefined> {
  // Some conditions are found only when all rows are known. They become events, too.
  report.conditions(outcome.conditions)
  const send = () =>
    report.send(({ events = [] }) =>
      run.end({
        ...(staged === undefined ? {} : { results: staged.results }),
        to: outcome.status,
        message: outcome.message,
        conditions: outcome.conditions,
        events,
        ...findingsOf(outcome),
      }),
    )
  // `lost` does not end it: a beat also loses the lease if the end was recorded without a response. Another request finds out which it was.
  return outages.outlast(send)
}

/** Returns the findings of an attempt. The record keeps the findings of earlier attempts for everything that is left out. */
function findingsOf({
  pins,
  progress,
  result,
  message,
}: RunOutcome): Pick<JobEnd, "pins" | "status_details" | "result"> {
  const hasBegun = Object.keys(progress.tasks).length > 0
  return {
    ...(pins.length === 0 ? {} : { pins }),
    ...(hasBegun ? { status_details: describeProgress(progress, message) } : {}),
    ...(result === null ? {} : { result }),
  }
}

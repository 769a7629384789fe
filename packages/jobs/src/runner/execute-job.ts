import { FIRST_LEASE_MS, JOB_LEASE_MS, type JobEnd, type JobRun } from "@assay/registry"
import { NO_PATIENCE } from "@assay/storage"
import { AssayError, isAssayError, type JobStatus } from "@assay/schemas"
import { describeProgress, type RunOutcome } from "@assay/results"
import { type Span, traceWork } from "@assay/telemetry"
import { setOutcome, spanOfJob } from "../jobs/job-span.ts"
import { createJobReport } from "./job-report.ts"
import type { ResultsToPublish } from "./job-setting.ts"
import { failedOutcome, runAttempt, withoutFiles, type AttemptOptions } from "./run-attempt.ts"

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

/** Executes a job that was claimed, to its end or until it is stopped. */
export function executeJob(run: JobRun, options: AttemptOptions): ExecutedJob {
  const { now, elapsed } = options
  const report = createJobReport()
  const stopping = new AbortController()
  /** Aborted when another runner has the job. After that, no request is sent and nothing is written. */
  const lost = new AbortController()
  const closing = new AbortController()
  const outages = options.openOutages?.(report.log, closing.signal) ?? NO_PATIENCE
  let reason: StopReason | undefined
  let heldSince = elapsed()
  let leaseMs = FIRST_LEASE_MS

  function stop(why: StopReason): void {
    if (why === "closing") closing.abort()
    if (why === "closing" && reason === undefined) {
      report.stopping()
      void beat()
    }
    reason = why === "lost" ? why : (reason ?? why)
    stopping.abort()
    if (why === "lost") lost.abort(new AssayError("runner_lost", `Another runner has the job '${run.job.id}' now.`))
  }

  async function beat(): Promise<void> {
    if (lost.signal.aborted) return
    const asked = elapsed()
    // A database that does not respond for the time of a lease may have given the job to another runner.
    const silence = setTimeout(() => stop("lost"), leaseMs)
    try {
      const status = await report.send((news) => run.beat(news))
      if (status === undefined) return stop("lost")
      heldSince = asked
      leaseMs = JOB_LEASE_MS
      if (status === "CANCELLING") stop("cancelled")
    } catch {
      // The next beat tries again. While the lease lasts, no other runner has the job.
      if (elapsed() - heldSince >= leaseMs) stop("lost")
    } finally {
      clearTimeout(silence)
    }
  }

  function traceExecution(): Promise<void> {
    const { job, attempt, claim } = run
    const isFirst = claim === 1
    const waited = isFirst ? (now() - Date.parse(job.created_at)) / 1000 : undefined
    const attributes = {
      "assay.job.attempt": attempt.number,
      "assay.job.claim": claim,
      "assay.job.wait_seconds": waited,
    }
    return traceWork(options.telemetry, spanOfJob(job, { isFirst, attributes }), execute)
  }

  async function execute(span: Span | undefined): Promise<void> {
    if (run.job.status === "CANCELLING") stop("cancelled")
    const { outcome, staged } = await runAttempt(run, options, {
      report,
      stopping: stopping.signal,
      lost: lost.signal,
      outages,
      beat,
      // A released job gets its results from the next runner, and a lost one from the runner that has it.
      keepsResults: (status) => reason !== "lost" && (reason !== "closing" || status === "COMPLETED"),
    })
    if (reason === "lost") span?.fail("runner_lost")
    else setOutcome(span, outcome)
    if (reason === "lost") return staged?.settle(false)
    if (reason === "closing" && outcome.status !== "COMPLETED") {
      await beat()
      return run.release()
    }
    await end(outcome, staged)
  }

  async function end(outcome: RunOutcome, staged: ResultsToPublish | undefined): Promise<void> {
    let arePublished = false
    try {
      arePublished = (await recordEnd(outcome, staged)) !== undefined
    } catch (error) {
      // Without a response, the end may be on record: then these results are the published ones.
      if (staged === undefined || !isAssayError(error, "not_found")) throw error
      // The place of the results is gone. The record keeps the scores.
      await recordEnd(failedOutcome(error, withoutFiles(run, outcome), now), undefined)
    }
    await staged?.settle(arePublished).catch(() => {})
  }

  async function recordEnd(outcome: RunOutcome, staged: ResultsToPublish | undefined): Promise<JobStatus | undefined> {
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
    // Not ended by `lost`: a beat also loses the lease if the end was recorded without a response, and asking again tells which it was.
    return outages.outlast(send)
  }

  return { beat, stop, ended: traceExecution() }
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

import { JOB_LEASE_MS, type JobEnd, type JobRun } from "@assay/registry"
import { AssayError, isAssayError, type JobStatus } from "@assay/schemas"
import { createConditionFinder } from "../conditions/create-condition-finder.ts"
import { type RunOutcome, describeProgress } from "../jobs/job-progress.ts"
import { changedPins } from "./changed-pins.ts"
import type { Evaluate } from "./run-evaluation.ts"
import { createJobReport } from "./job-report.ts"
import type { JobSetting, OpenJobSetting, ResultsToPublish } from "./job-setting.ts"
import { onFirstRow } from "./on-first-row.ts"

/** Why a job is stopped before its end: asked for, put down for the next runner, or not this runner's any more. */
export type StopReason = "cancelled" | "closing" | "lost"

/** A job that this process runs. */
export interface ExecutedJob {
  /** Holds its lease, and keeps the news. Never throws. */
  beat(): Promise<void>
  stop(reason: StopReason): void
  /** Resolves when it has ended, or was put down. */
  readonly ended: Promise<void>
}

export interface ExecuteOptions {
  readonly openSetting: OpenJobSetting
  readonly evaluate: Evaluate
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

const NOTHING_DONE = {
  processed: 0,
  total: null,
  failed: 0,
  tasks: {},
  means: {},
  tokens: { prompt: 0, completion: 0 },
}

/** Runs a job that was taken up, to its end or until it is stopped. */
export function executeJob(run: JobRun, options: ExecuteOptions): ExecutedJob {
  const { now } = options
  const report = createJobReport()
  const stopping = new AbortController()
  /** Aborted when the job is another runner's: then nothing more is asked, and nothing written. */
  const lost = new AbortController()
  let reason: StopReason | undefined
  let heldSince = now()

  function stop(why: StopReason): void {
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
    const asked = now()
    // A database that does not answer for the time of a lease may have given the job to another runner.
    const silence = setTimeout(() => stop("lost"), JOB_LEASE_MS)
    try {
      const status = await report.hand((news) => run.beat(news))
      if (status === undefined) return stop("lost")
      heldSince = asked
      if (status === "CANCELLING") stop("cancelled")
    } catch {
      // It is tried again; for as long as the lease lasts nobody else runs the job.
      if (now() - heldSince >= JOB_LEASE_MS) stop("lost")
    } finally {
      clearTimeout(silence)
    }
  }

  async function carry(): Promise<void> {
    if (run.job.status === "CANCELLING") stop("cancelled")
    const { outcome, staged } = await evaluate(run, options, {
      report,
      stopping: stopping.signal,
      lost: lost.signal,
      beat,
      // What is put down leaves no results yet, and what is another runner's none at all.
      keepsResults: (status) => reason !== "lost" && (reason !== "closing" || status === "COMPLETED"),
    })
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
      arePublished = (await tellEnd(outcome, staged)) !== undefined
    } catch (error) {
      if (staged === undefined || !isAssayError(error, "not_found")) throw error
      // The results have lost their place: what was scored is kept nevertheless.
      await tellEnd(failed(error, unwritten(run, outcome), now), undefined)
    } finally {
      await staged?.settle(arePublished).catch(() => {})
    }
  }

  async function tellEnd(outcome: RunOutcome, staged: ResultsToPublish | undefined): Promise<JobStatus | undefined> {
    // Those that only the whole shows are told as events too.
    report.conditions(outcome.conditions)
    return report.hand(({ events = [] }) =>
      run.end({
        ...(staged === undefined ? {} : { results: staged.results }),
        to: outcome.status,
        message: outcome.message,
        conditions: outcome.conditions,
        events,
        ...known(outcome),
      }),
    )
  }

  return { beat, stop, ended: carry() }
}

/** What a round has found out: where it did not get that remote, the record keeps what it has of earlier ones. */
function known({ pins, progress, result, message }: RunOutcome): Pick<JobEnd, "pins" | "status_details" | "result"> {
  const isBegun = Object.keys(progress.tasks).length > 0
  return {
    ...(pins.length === 0 ? {} : { pins }),
    ...(isBegun ? { status_details: describeProgress(progress, message) } : {}),
    ...(result === null ? {} : { result }),
  }
}

interface Evaluating {
  readonly report: ReturnType<typeof createJobReport>
  readonly stopping: AbortSignal
  readonly lost: AbortSignal
  readonly beat: () => Promise<void>
  readonly keepsResults: (status: RunOutcome["status"]) => boolean
}

interface Evaluated {
  readonly outcome: RunOutcome
  /** Undefined where no results are left. */
  readonly staged: ResultsToPublish | undefined
}

async function evaluate(
  run: JobRun,
  { openSetting, evaluate: evaluateJob, now }: ExecuteOptions,
  { report, stopping, lost, beat, keepsResults }: Evaluating,
): Promise<Evaluated> {
  const { id, namespace, target, config } = run.job
  const { attempt, scope } = run.round
  let setting: JobSetting | undefined
  let outcome: RunOutcome | undefined
  try {
    setting = await openSetting(run)
    outcome = await evaluateJob({ id, namespace, target, config, attempt, scope }, setting.environment, {
      journal: onFirstRow(setting.journal, () => {
        report.newRows()
        void beat()
      }),
      signal: stopping,
      filesUrl: setting.filesUrl,
      onProgress: report.progress,
      onLog: report.log,
      onConditions: report.conditions,
      onPins(pins) {
        for (const message of changedPins(run.job.pins, pins)) report.log({ level: "warn", message })
        report.pins(pins)
      },
    })
    report.log({ level: outcome.status === "FAILED" ? "error" : "info", message: outcome.message })
    // Results tell the log too: what was not yet told is put on record first.
    await beat()
    const staged = keepsResults(outcome.status) ? await setting.stageResults(outcome, lost) : undefined
    return { outcome, staged }
  } catch (error) {
    return { outcome: failed(error, outcome && unwritten(run, outcome), now), staged: undefined }
  } finally {
    // What was to be kept is: a journal that can't be closed changes nothing.
    await setting?.close().catch(() => {})
  }
}

/** A result whose files could not be written does not replace one whose files are there. */
function unwritten({ job }: JobRun, outcome: RunOutcome): RunOutcome {
  return job.result === null ? outcome : { ...outcome, result: null }
}

/** What was scored stays, where it is the results that could not be written. */
function failed(error: unknown, outcome: RunOutcome | undefined, now: () => number): RunOutcome {
  const finder = createConditionFinder({ now })
  finder.addError(error)
  const why = isAssayError(error) ? error.message : `A fault of the runner: ${String(error)}; report it.`
  const what = outcome === undefined ? "The job could not be begun" : "The results could not be written"
  return {
    result: null,
    pins: [],
    progress: NOTHING_DONE,
    ...outcome,
    status: "FAILED",
    message: `${what}: ${why}`,
    conditions: [...(outcome?.conditions ?? []), ...finder.list()],
  }
}

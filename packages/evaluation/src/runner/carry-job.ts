import { JOB_LEASE_MS, type JobEnd, type JobRun } from "@assay/registry"
import { isAssayError } from "@assay/schemas"
import { createConditionFinder } from "../conditions/create-condition-finder.ts"
import type { RunOutcome } from "../jobs/job-progress.ts"
import { changedPins } from "./changed-pins.ts"
import { describeProgress } from "./describe-progress.ts"
import type { Evaluate } from "./evaluate.ts"
import { createJobReport } from "./job-report.ts"
import type { JobSetting, OpenJobSetting } from "./job-setting.ts"

/** Why a job is stopped before its end: asked for, put down for the next runner, or not this runner's any more. */
export type StopReason = "cancelled" | "closing" | "lost"

/** A job that this process runs. */
export interface CarriedJob {
  /** Holds its lease, and keeps the news. Never throws. */
  beat(): Promise<void>
  stop(reason: StopReason): void
  /** Resolves when it has ended, or was put down. */
  readonly ended: Promise<void>
}

export interface CarryOptions {
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
export function carryJob(run: JobRun, options: CarryOptions): CarriedJob {
  const { now } = options
  const report = createJobReport()
  const stopping = new AbortController()
  let reason: StopReason | undefined
  let heldSince = now()

  function stop(why: StopReason): void {
    reason ??= why
    stopping.abort()
  }

  async function beat(): Promise<void> {
    const asked = now()
    try {
      const status = await report.hand((news) => run.beat(news))
      if (status === undefined) return stop("lost")
      heldSince = asked
      if (status === "CANCELLING") stop("cancelled")
    } catch {
      // It is tried again; for as long as the lease lasts nobody else runs the job.
      if (now() - heldSince >= JOB_LEASE_MS) stop("lost")
    }
  }

  async function carry(): Promise<void> {
    if (run.job.status === "CANCELLING") stop("cancelled")
    const outcome = await evaluate(run, options, {
      report,
      stopping: stopping.signal,
      beat,
      // What is put down leaves no results yet, and what is another runner's none at all.
      keepsResults: (status) => reason !== "lost" && (reason !== "closing" || status === "COMPLETED"),
    })
    if (reason === "lost") return
    if (reason === "closing" && outcome.status !== "COMPLETED") {
      await beat()
      return run.release()
    }
    // Those that only the whole shows are told as events too.
    report.conditions(outcome.conditions)
    await report.hand(({ events = [] }) =>
      run.end({
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

/** What a round has found out: where it did not get that far, the record keeps what it has of earlier ones. */
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
  readonly beat: () => Promise<void>
  readonly keepsResults: (status: RunOutcome["status"]) => boolean
}

async function evaluate(
  run: JobRun,
  { openSetting, evaluate: evaluateJob, now }: CarryOptions,
  { report, stopping, beat, keepsResults }: Evaluating,
): Promise<RunOutcome> {
  const { id, namespace, target, config } = run.job
  const { attempt, scope } = run.round
  let setting: JobSetting | undefined
  let outcome: RunOutcome | undefined
  try {
    setting = await openSetting(run)
    outcome = await evaluateJob({ id, namespace, target, config, attempt, scope }, setting.world, {
      journal: setting.journal,
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
    if (keepsResults(outcome.status)) await setting.keepResults(outcome)
    return outcome
  } catch (error) {
    return failed(error, outcome, now)
  } finally {
    // What was to be kept is: a journal that can't be closed changes nothing.
    await setting?.close().catch(() => {})
  }
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

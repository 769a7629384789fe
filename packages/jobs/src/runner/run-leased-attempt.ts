import {
  NO_PROGRESS,
  type RunOutcome,
  type RunInShards,
  type OutputsSource,
  scoreOutputs,
  type Evaluate,
} from "@assay/attempts"
import type { JobRun } from "@assay/registry"
import { isAssayError, type DatasetPin, type EvaluationJob } from "@assay/schemas"
import type { Outages } from "@assay/storage"
import { createConditionFinder } from "@assay/results"
import type { Journal } from "@assay/evaluation"
import type { QueuedShards } from "../shards/queued-shards.ts"
import type { OpenOutages } from "./open-outages.ts"
import type { Telemetry } from "@assay/telemetry"
import type { JobReport } from "./job-report.ts"
import type { JobSetting, OpenJobSetting, ResultsToPublish } from "./job-setting.ts"

export interface AttemptOptions {
  readonly openSetting: OpenJobSetting
  readonly evaluate: Evaluate
  /** Called when workers run the job, and this process only waits for them. */
  readonly onWaiting?: (() => void) | undefined
  /** Stops what an engine has of a job that is cancelled. Absent: jobs run on no engines. */
  readonly cancelOnExecutor?: ((job: EvaluationJob) => Promise<void>) | undefined
  /** Returns what lets a job wait for storage and the database, with lines in its log. Absent: their first error counts. */
  readonly openOutages?: OpenOutages | undefined
  /** Makes a span of each run. Absent: nothing is collected. */
  readonly telemetry?: Telemetry | undefined
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns milliseconds since any moment, for elapsed times. The clock of the machine does not change it. */
  readonly elapsed: () => number
}

/** The lease of the runner, as far as an attempt depends on it. */
export interface AttemptLease {
  readonly report: JobReport
  /** Aborted when the job must stop. */
  readonly stopping: AbortSignal
  /** Aborted when another runner has the job. */
  readonly lost: AbortSignal
  readonly outages: Outages
  /** Sends the report at once. */
  readonly beat: () => Promise<void>
  /** Returns whether results are written for this end of the attempt. */
  readonly keepsResults: (status: RunOutcome["status"]) => boolean
}

export interface Attempt {
  readonly outcome: RunOutcome
  /** Undefined if no results were written. */
  readonly staged: ResultsToPublish | undefined
}

/** Runs one attempt of a job whose lease this process holds: opens its setting, evaluates, and writes the results. A failure is an outcome, too. */
export async function runLeasedAttempt(
  run: JobRun,
  { openSetting, evaluate, onWaiting, now }: Omit<AttemptOptions, "openOutages" | "telemetry" | "cancelOnExecutor">,
  { report, stopping, lost, outages, beat, keepsResults }: AttemptLease,
): Promise<Attempt> {
  const { id, namespace, target, config } = run.job
  const { number: attempt, scope } = run.attempt
  let setting: JobSetting | undefined
  let outcome: RunOutcome | undefined
  const onNewRows = (): void => {
    report.newRows()
    void beat()
  }
  try {
    const opening = () => openSetting(run, outages)
    setting = await outages.outlast(opening, { signal: stopping })
    const evaluateJob = evaluateOf(evaluate, setting.source)
    outcome = await evaluateJob({ id, namespace, target, config, attempt, scope }, setting.environment, {
      journal: onFirstRow(setting.journal, onNewRows),
      signal: stopping,
      hasBegun: run.claim > 1,
      runInShards: setting.shards && inShards(setting.shards),
      runOnExecutor: setting.runOnExecutor,
      onNewRows,
      onWaiting,
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
    // The results contain the log, so the last lines have to be on record before.
    await beat()
    const staged = keepsResults(outcome.status) ? await setting.stageResults(outcome, lost) : undefined
    return { outcome, staged }
  } catch (error) {
    return { outcome: failedOutcome(error, outcome && withoutFiles(run, outcome), now), staged: undefined }
  } finally {
    // The rows are in the journal already, so an error of its end changes nothing.
    await setting?.close().catch(() => {})
  }
}

function inShards(shards: QueuedShards): RunInShards {
  return async (plan, options) => {
    const { runInShards } = await import("../shards/run-in-shards.ts")
    return runInShards(plan, { ...options, shards })
  }
}

/** Returns how a job is evaluated that may score the outputs of another one. */
function evaluateOf(evaluate: Evaluate, source: OutputsSource | undefined): Evaluate {
  if (source === undefined) return evaluate
  return (job, environment, options) => scoreOutputs(evaluate, { job, environment, source, options })
}

/** Returns an outcome whose files could not be written. It does not replace a result whose files exist. */
export function withoutFiles({ job }: JobRun, outcome: RunOutcome): RunOutcome {
  return job.result === null ? outcome : { ...outcome, result: null }
}

/** Returns the outcome of an error. If the rows were scored already, the outcome keeps their scores. */
export function failedOutcome(error: unknown, outcome: RunOutcome | undefined, now: () => number): RunOutcome {
  const finder = createConditionFinder({ now })
  finder.addError(error)
  const why = isAssayError(error) ? error.message : `A fault of the runner: ${String(error)}; report it.`
  const what = outcome === undefined ? "The job could not be started" : "The results could not be written"
  return {
    result: null,
    pins: [],
    progress: NO_PROGRESS,
    ...outcome,
    status: "FAILED",
    message: `${what}: ${why}`,
    conditions: [...(outcome?.conditions ?? []), ...finder.list()],
  }
}

/** Returns a journal that calls `onRow` once, after the first row. */
function onFirstRow(journal: Journal, onRow: () => void): Journal {
  let wasCalled = false
  return {
    ...journal,
    append(row) {
      journal.append(row)
      if (wasCalled) return
      wasCalled = true
      onRow()
    },
  }
}

/** Returns a line for each dataset that has changed since an earlier run of the job. The results have answers about both versions. */
export function changedPins(before: readonly DatasetPin[], now: readonly DatasetPin[]): string[] {
  return now.flatMap((pin) => {
    const known = before.find(({ files_url }) => files_url === pin.files_url)
    if (known === undefined || contentOf(known) === contentOf(pin)) return []
    return [`Dataset ${pin.files_url} has changed since the job began: rows with an answer are not evaluated again.`]
  })
}

function contentOf({ fileset_id, revision, files }: DatasetPin): string {
  return JSON.stringify([
    fileset_id,
    revision,
    files.map(({ path, size, sha256, etag }) => [path, size, sha256 ?? etag]),
  ])
}

import { dirname, join, resolve } from "node:path"
import {
  isLocalPath,
  type LaunchCheckOutcome,
  type LaunchCheckProgress,
  type LaunchEstimate,
  printable,
} from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { type JobEnvironment, type JobScope, programFiles } from "@assay/evaluation"
import { checkLaunch, type FailedCheck, launchRefused, isLargeRun, type LaunchSubject } from "@assay/attempts"
import type { ScoreGate } from "@assay/results"
import { digestRun } from "./runs/digest-run.ts"
import type { JobOverrides } from "./job-overrides.ts"
import { createLocalEnvironment, type LocalPorts } from "./local-environment.ts"
import {
  checkRecordingDigest,
  type LocalRecording,
  openLocalRecording,
  type RecordingChoice,
} from "./local-recording.ts"
import { runLocalAttempt, type AttemptListener, type AttemptResult } from "./run-local-attempt.ts"
import { findOtherInterrupted, findRunFolder, prepareRunFolder } from "./runs/run-folder.ts"
import { runArenaLocally } from "./run-arena-locally.ts"
import { askedJudges } from "./rescore/ask-judges-again.ts"
import { rescoreLocally } from "./rescore/rescore-locally.ts"
import type { RunRecord } from "./runs/run-record.ts"
import { stateOfRun } from "./runs/run-state.ts"

/** Receives the events of a run. */
export interface LocalRunListener extends AttemptListener {
  /** The launch checks found nothing that prevents the run, but these warnings. */
  readonly onWarnings: (warnings: readonly FailedCheck[]) => void
  /** The run resumes an interrupted one. `folder` is absolute. */
  readonly onResumed: (folder: string) => void
  /**
   * A new run begins beside one of the same file that was interrupted. `folder` is absolute.
   * @param canResume whether only options differ, so that the other one can be resumed
   */
  readonly onOtherInterrupted: (folder: string, canResume: boolean) => void
  /** The run sends more than a thousand requests. */
  readonly onEstimate: (estimate: LaunchEstimate) => void
}

export interface RunLocallyOptions {
  readonly job: LaunchSubject
  /** Name of the run, which is the first part of the name of its folder. */
  readonly name: string
  /** Absolute path of the evaluation file. Null for stdin. */
  readonly file: string | null
  /** The number of the job in the file. Default 0. */
  readonly cell?: number | undefined
  /** Overrides that `job` contains already. A resumed run applies them again. */
  readonly overrides: JobOverrides
  /** Absolute path of the file that the prices come from. A resumed run reads them again. */
  readonly pricesFile?: string | undefined
  /** Absolute path of the folder that local paths are relative to. */
  readonly folder: string
  /** Absolute path of the folder for all runs. */
  readonly dataFolder: string
  /** Absolute path for the results. Undefined: a folder of its own below `dataFolder`. */
  readonly out: string | undefined
  readonly gates: readonly ScoreGate[]
  readonly skipChecks: boolean
  /** Do not resume an interrupted run of the same job, and ask for recorded answers again. */
  readonly fresh: boolean
  readonly recording?: RecordingChoice | undefined
  /** Replace the results of another job in `out`. Default false. */
  readonly overwrite?: boolean | undefined
  readonly listener: LocalRunListener
  readonly signal: AbortSignal
}

/**
 * Runs a job in this process and writes its results to a folder. Resumes an interrupted run of the same job over the same rows;
 * otherwise checks the launch and starts a new run.
 * @throws `launch_refused` with every check that failed, `path_conflict` if the folder is in use, `output_exists` if it has the results of another job
 */
export async function runLocally(ports: LocalPorts, options: RunLocallyOptions): Promise<AttemptResult> {
  const { name, out, dataFolder, fresh, gates, listener, signal } = options
  const job = await programFiles.withSource(options.job, ports.filesets, signal)
  const recorded = openLocalRecording(job, options.recording ?? {}, { dataFolder, isFresh: fresh })
  const { recording } = recorded
  await checkRecordingDigest(recorded, options.recording ?? {}, signal)
  const folders = { folder: options.folder, dataFolder, digests: new Map<string, string>(), recording }
  const environment = (workFolder: string) => createLocalEnvironment(ports, folders, job.namespace, workFolder)
  const digest = await digestRun(job, environment(dataFolder), signal)
  checkBaselines(job, options)
  const placing = { out, dataFolder, name, digest, fresh, overwrite: options.overwrite, ports }
  const found = await findRunFolder(placing)
  const other = found === undefined ? await findOtherInterrupted(placing, options) : undefined
  if (found?.before === undefined && !options.skipChecks) await check(job, environment(dataFolder), options)
  const { folder, before } = await prepareRunFolder(found, placing)
  if (before !== undefined) listener.onResumed(folder)
  if (other !== undefined) {
    const haveChanged = JSON.stringify(other.before.overrides) !== JSON.stringify(options.overrides)
    listener.onOtherInterrupted(other.folder, haveChanged)
  }
  const run = environment(join(folder, "work"))
  const known = before ?? newRecord(run.newId("eval"), digest, options, { now: ports.now(), recorded })
  const record = { ...known, is_replay_only: options.recording?.isReplayOnly === true }
  return runLocalAttempt(ports, {
    folder,
    job,
    record: { ...record, status: "RUNNING", pid: ports.pid },
    scope: scopeOfAttempt(record.attempt),
    isResumed: before !== undefined,
    environment: run,
    gates,
    listener,
    signal,
  })
}

function newRecord(
  id: string,
  digest: string,
  { file, cell = 0, overrides, pricesFile, recording: chosen }: RunLocallyOptions,
  { now, recorded }: { readonly now: number; readonly recorded: LocalRecording },
): Omit<RunRecord, "status" | "pid"> {
  return {
    id,
    digest,
    attempt: 1,
    file,
    ...(cell === 0 ? {} : { cell }),
    overrides: { ...overrides },
    ...(pricesFile === undefined ? {} : { prices: pricesFile }),
    ...(recorded.folder === undefined ? {} : { recording: recorded.folder }),
    ...(chosen?.folder === undefined || chosen.name === undefined ? {} : { recording_name: chosen.name }),
    created_at: now,
  }
}

export interface RunAgainOptions {
  /** The job, read again from the file of the run. */
  readonly job: LaunchSubject
  /** Absolute path of the folder that local paths are relative to. */
  readonly folder: string
  /** Absolute path of the folder of the run. */
  readonly runFolder: string
  /** The folder of the run as the user wrote it. */
  readonly name: string
  readonly record: RunRecord
  readonly scope: JobScope
  readonly gates: readonly ScoreGate[]
  readonly listener: AttemptListener
  readonly signal: AbortSignal
}

/**
 * Resumes the run of a folder, or repeats its failed rows, as `scope` says. A resumed run asks its failed rows again, and those that were
 * not asked: its cause is repaired, and the failures before would end it at once. A replay stays one, and sends nothing.
 * @throws `bad_document` if the job or its rows have changed since, `illegal_transition` if a resumed run would ask nothing
 */
export async function runAgain(ports: LocalPorts, options: RunAgainOptions): Promise<AttemptResult> {
  const { folder, runFolder, name, record, scope, gates, listener, signal } = options
  const job = await programFiles.withSource(options.job, ports.filesets, signal)
  const dataFolder = dirname(runFolder)
  const { recording } = openLocalRecording(
    job,
    { folder: record.recording, isReplayOnly: record.is_replay_only },
    { dataFolder, isFresh: false },
  )
  const folders = { folder, dataFolder, digests: new Map<string, string>(), recording }
  const environment = createLocalEnvironment(ports, folders, job.namespace, join(runFolder, "work"))
  if ((await digestRun(job, environment, signal)) !== record.digest) {
    const file = printable(record.file ?? "stdin")
    const message = `The rows of '${printable(name)}' or its file ${file} have changed since it was run: start a new run.`
    throw new AssayError("bad_document", message)
  }
  if (scope.kind === "run" && record.status !== "RUNNING" && record.is_asked === true) {
    const message = `'${printable(name)}' has nothing to resume: all of its rows were asked. Use retry-failed to ask its failed rows again.`
    throw new AssayError("illegal_transition", message)
  }
  const attempt = record.attempt + 1
  return runLocalAttempt(ports, {
    folder: runFolder,
    job,
    record: { ...record, status: "RUNNING", pid: ports.pid, attempt },
    scope: scopeOfAttempt(attempt),
    isResumed: true,
    environment,
    gates,
    listener,
    signal,
  })
}

/** Returns what an attempt does, also after it was interrupted: each attempt after the first one asks failed rows again. */
function scopeOfAttempt(attempt: number): JobScope {
  return { kind: attempt > 1 ? "retry-failed" : "run" }
}

export interface CheckLocallyOptions extends Pick<RunLocallyOptions, "job" | "folder" | "dataFolder" | "signal"> {
  readonly onCheck: (progress: LaunchCheckProgress) => void
}

/** Runs the launch checks of a job in this process, and runs nothing else. */
async function checkLocally(
  ports: LocalPorts,
  { folder, dataFolder, signal, onCheck, ...options }: CheckLocallyOptions,
): Promise<LaunchCheckOutcome> {
  const job = await programFiles.withSource(options.job, ports.filesets, signal)
  const folders = { folder, dataFolder, digests: new Map<string, string>() }
  const environment = createLocalEnvironment(ports, folders, job.namespace, dataFolder)
  const { failed, warnings, estimate } = await checkLaunch(job, environment, { signal, onCheck, measure: true })
  signal.throwIfAborted()
  return { launchable: failed.length === 0, failed_checks: [...failed], warnings: [...warnings], estimate }
}

/** Refuses a gate that compares with the results that the run would replace. @throws `path_conflict` */
function checkBaselines({ config }: LaunchSubject, { folder, out }: Pick<RunLocallyOptions, "folder" | "out">): void {
  const baselines = (config.params?.gates ?? []).flatMap(({ against }) => against ?? [])
  const own = baselines.find((name) => isLocalPath(name) && resolve(folder, name) === out)
  if (own === undefined) return
  const message = `A gate compares with '${printable(own)}', whose results this run would replace: choose another folder for the results.`
  throw new AssayError("path_conflict", message)
}

async function check(job: LaunchSubject, environment: JobEnvironment, options: RunLocallyOptions): Promise<void> {
  const { listener, signal } = options
  const { failed, warnings, estimate } = await checkLaunch(job, environment, { signal })
  signal.throwIfAborted()
  if (failed.length > 0) throw launchRefused(failed)
  if (warnings.length > 0) listener.onWarnings(warnings)
  if (isLargeRun(estimate)) listener.onEstimate(estimate)
}

/** Runs of jobs in this process, with their results in a folder. */
export const localRuns = Object.freeze({
  check: checkLocally,
  run: runLocally,
  again: runAgain,
  rescore: rescoreLocally,
  arena: runArenaLocally,
  stateOf: stateOfRun,
  askedJudges,
})

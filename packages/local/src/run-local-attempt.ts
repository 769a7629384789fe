import {
  describeProgress,
  type RunOutcome,
  setOutcome,
  spanOfJob,
  type LaunchSubject,
  type OutputsSource,
  scoreOutputs,
  runEvaluation,
  type RunEvaluationOptions,
} from "@assay/attempts"
import { createFolder } from "@assay/storage"
import { join } from "node:path"
import { type Span, traceWork } from "@assay/telemetry"
import { type JobEnvironment, type JobScope, openFileJournal } from "@assay/evaluation"
import { type JobLogLine, type JobProgress, type ScoreGate, type scoreGates, writeResults } from "@assay/results"
import type { LocalPorts } from "./local-environment.ts"
import { describeRecording } from "./local-recording.ts"
import { createFolderSink } from "./runs/results-folder.ts"
import { JOURNAL } from "./runs/run-folder.ts"
import { openRunLog, type RunLog } from "./runs/run-log.ts"
import { writeRunRecord, type RunRecord } from "./runs/run-record.ts"

/** Receives the events of an attempt. */
export interface AttemptListener {
  readonly onProgress: (progress: JobProgress) => void
  readonly onLog: (line: JobLogLine) => void
  /** All rows are done. The results are written next. */
  readonly onRowsDone: () => void
}

export interface LocalAttemptOptions {
  /** Absolute path of the folder for journal and results. */
  readonly folder: string
  readonly job: LaunchSubject
  readonly record: RunRecord
  readonly scope: JobScope
  /** Whether an earlier process has begun the run. */
  readonly isResumed: boolean
  readonly environment: JobEnvironment
  readonly gates: readonly ScoreGate[]
  readonly listener: AttemptListener
  /** The job whose outputs are scored. Absent: the target is asked. */
  readonly source?: OutputsSource | undefined
  readonly signal: AbortSignal
}

/** The end of an attempt. */
export interface AttemptResult {
  readonly id: string
  /** Absolute path of the folder for journal and results. */
  readonly folder: string
  readonly outcome: RunOutcome
  readonly details: ReturnType<typeof describeProgress>
  readonly gates: ReturnType<typeof scoreGates.check>
  /** Milliseconds from the start of the attempt until its results were written. */
  readonly milliseconds: number
  /** The signal ended the attempt: the answers are kept, and no results were written. */
  readonly isInterrupted: boolean
}

/** Makes one attempt at the rows of a run: asks, scores, and writes the results unless the signal ends it. */
export function runLocalAttempt(ports: LocalPorts, options: LocalAttemptOptions): Promise<AttemptResult> {
  const { job, record, isResumed } = options
  const attributes = { "assay.job.attempt": record.attempt }
  const span = spanOfJob({ ...job, id: record.id }, { isFirst: !isResumed, attributes })
  return traceWork(ports.telemetry, span, (begun) => runTraced(ports, options, begun))
}

async function runTraced(
  ports: LocalPorts,
  options: LocalAttemptOptions,
  span: Span | undefined,
): Promise<AttemptResult> {
  const { folder, record, environment, signal } = options
  const start = ports.inference.now()
  await writeRunRecord(folder, record)
  await createFolder(environment.workFolder, { durable: false })
  const log = openRunLog(folder, ports.now)
  const outcome = await processRows(options, log)
  setOutcome(span, outcome)
  const { status, message } = outcome
  const details = describeProgress(outcome.progress, message)
  const result = { id: record.id, folder, outcome, details }
  if (signal.aborted) return { ...result, gates: [], milliseconds: ports.inference.now() - start, isInterrupted: true }
  const gates = await writeRunResults(ports, options, outcome, log)
  const { processed, total } = outcome.progress
  const ended = { status, message, progress: details.progress, is_asked: total !== null && processed >= total }
  await writeRunRecord(folder, { ...record, ...ended })
  return { ...result, gates, milliseconds: ports.inference.now() - start, isInterrupted: false }
}

async function processRows(options: LocalAttemptOptions, log: RunLog): Promise<RunOutcome> {
  const { folder, job, record, scope, environment, listener, source, signal } = options
  const journal = await openFileJournal(join(folder, JOURNAL))
  try {
    const subject = { id: record.id, ...job, attempt: record.attempt, scope }
    const running: RunEvaluationOptions = {
      journal,
      signal,
      filesUrl: null,
      onProgress: listener.onProgress,
      onLog: (line) => {
        log.append(line)
        listener.onLog(line)
      },
      onConditions: () => undefined,
    }
    return source === undefined
      ? await runEvaluation(subject, environment, running)
      : await scoreOutputs(runEvaluation, { job: subject, environment, source, options: running })
  } finally {
    listener.onRowsDone()
    await journal.close()
  }
}

async function writeRunResults(
  { now, programs }: LocalPorts,
  { folder, job, record, gates, signal }: LocalAttemptOptions,
  { status, message, result, conditions, pins, progress }: RunOutcome,
  log: RunLog,
): Promise<AttemptResult["gates"]> {
  const journal = await openFileJournal(join(folder, JOURNAL))
  try {
    return await writeResults(
      {
        job: {
          id: record.id,
          ...job,
          ...(record.rescored_from === undefined ? {} : { rescored_from: record.rescored_from }),
          created_at: new Date(record.created_at).toISOString(),
          finished_at: new Date(now()).toISOString(),
        },
        status,
        message,
        result,
        conditions,
        pins,
        progress,
        gates,
        journal,
        log: log.lines(),
        environment: programs,
        recording: await describeRecording(record, signal),
      },
      createFolderSink(folder),
    )
  } finally {
    await journal.close()
  }
}

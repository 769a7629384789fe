import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import {
  describeProgress,
  openFileJournal,
  runEvaluation,
  writeResults,
  type JobEnvironment,
  type GateOutcome,
  type JobScope,
  type RunOutcome,
  type ScoreGate,
} from "@assay/evaluation"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import { printable } from "../../../output/printable.ts"
import { readVersion } from "../../../read-version.ts"
import { print } from "../../print.ts"
import { exitCodeOfRun } from "../screen/exit-code-of-run.ts"
import { formatOutcome } from "../screen/format-outcome.ts"
import type { ProgressTeller } from "../screen/progress-teller.ts"
import { shownPath } from "../screen/shown-path.ts"
import { writeJunit } from "../screen/write-junit.ts"
import { createFolderSink } from "./folder-sink.ts"
import type { LocalJob } from "./local-job.ts"
import { JOURNAL } from "./place-run.ts"
import { openRunLog, type RunLog } from "./run-log.ts"
import { writeRunRecord, type RunRecord } from "./run-record.ts"

export interface RunRoundOptions {
  /** What the run is called. */
  readonly name: string
  /** Absolute: where its journal is and its results go. */
  readonly folder: string
  readonly job: LocalJob
  readonly record: RunRecord
  readonly scope: JobScope
  readonly environment: JobEnvironment
  readonly gates: readonly ScoreGate[]
  readonly junit: string | undefined
  readonly json: boolean | undefined
  readonly teller: ProgressTeller
}

/** One round over the rows of a run: asks, scores, writes the results, and prints what came of it. */
export async function runRound(context: Context, options: RunRoundOptions): Promise<ExitCode> {
  const { name, folder, job, record, json, junit, environment } = options
  const start = context.now()
  await writeRunRecord(folder, record)
  await mkdir(environment.workFolder, { recursive: true })
  const log = openRunLog(folder, context.now)
  const outcome = await ask(context, options, log)
  if (context.signal.aborted) throw interrupted(context, options, outcome)
  const gates = await keepResults(context, options, outcome, log)
  const { status, message, result, conditions, progress } = outcome
  const details = describeProgress(progress, message)
  await writeRunRecord(folder, { ...record, status, message, progress: details.progress })
  if (junit !== undefined) {
    await writeJunit(context, junit, { job: { id: record.id, ...job }, status, message, result, conditions, gates })
  }
  const place = shownPath(context, folder)
  const shown = { name, id: record.id, status, message, result, conditions, gates, folder: place, results: place }
  const told = { rows: progress.processed, milliseconds: context.now() - start, status_details: details }
  await print(context, { json: json === true }, shown, () =>
    formatOutcome({ ...shown, ...told, ...job, conditions: [...conditions] }),
  )
  return exitCodeOfRun({ status, gates, conditions, failed: progress.failed })
}

async function ask(
  { signal }: Context,
  { folder, job, record, scope, environment, teller }: RunRoundOptions,
  log: RunLog,
): Promise<RunOutcome> {
  const journal = await openFileJournal(join(folder, JOURNAL))
  try {
    return await runEvaluation({ id: record.id, ...job, attempt: record.attempt, scope }, environment, {
      journal,
      signal,
      filesUrl: null,
      onProgress: (progress) => teller.show(progress),
      onLog: (line) => {
        log.append(line)
        // A harness may run for hours, and its log is all that is seen of it.
        if (line.level === "error" || job.config.type === "benchmark") teller.say(printable(line.message))
      },
      onConditions: () => undefined,
    })
  } finally {
    teller.end()
    await journal.close()
  }
}

async function keepResults(
  { now, nodeVersion, platform }: Context,
  { folder, job, record, gates }: RunRoundOptions,
  { status, message, result, conditions, pins, progress }: RunOutcome,
  log: RunLog,
): Promise<readonly GateOutcome[]> {
  const journal = await openFileJournal(join(folder, JOURNAL))
  try {
    return await writeResults(
      {
        job: {
          id: record.id,
          ...job,
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
        environment: { assay: readVersion(), node: nodeVersion, platform },
      },
      createFolderSink(folder),
    )
  } finally {
    await journal.close()
  }
}

/** Says what is kept; the reason of the signal, for the exit code. */
function interrupted(context: Context, { folder, teller }: RunRoundOptions, { progress }: RunOutcome): unknown {
  const { processed, total } = progress
  const rows = total === null ? `${processed} rows are` : `${processed} of ${total} rows are`
  teller.say(`${rows} answered and kept in ${shownPath(context, folder)}`)
  return context.signal.reason
}

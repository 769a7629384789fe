import process from "node:process"
import { basename, isAbsolute, resolve } from "node:path"
import { explainJob, resultScores, type ScoreGate } from "@assay/results"
import { type AttemptResult, jobGates, jobOfFile, type LocalPorts, localRuns, runName, runRecord } from "@assay/local"
import type { LaunchSubject } from "@assay/attempts"
import { readPrices } from "@assay/evaluation"
import { jobVerdict, type PriceTable } from "@assay/schemas"
import type { Telemetry } from "@assay/telemetry"
import { readGuardrailFile } from "@assay/guardrails"
import { createProgressReporter, formatCount, formatOutcome, type ProgressReporter } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import { isProcessAlive } from "../../is-process-alive.ts"
import { findContainerTool, openLocalSandbox } from "../../open-local-sandbox.ts"
import { localSchemas } from "../../local-schemas.ts"
import { readVersion } from "../../read-version.ts"
import type { JsonOption } from "../action.ts"
import { summaryOfJob, worstRowsHere } from "../summary/summary-of-job.ts"
import { isOnStdout, writeSummary } from "../summary/write-summary.ts"
import { guardrailFiles } from "../guard/guardrail-files.ts"
import { keyVariables, withKeyHosts } from "../guard/inference-key.ts"
import { adviseOnJudges } from "../label/advise-on-judges.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import {
  againstFolder,
  type Compared,
  exitCodeWith,
  formatCompared,
  verdictWith,
} from "../baseline/compare-with-baseline.ts"
import { filesetsOfServer } from "../../fileset-of-server.ts"
import { pricesFileOf } from "./prices-file.ts"
import { askingRun, askingRunOf, nextCommands } from "./recording/recorded-answers.ts"
import { gatesGiven } from "./given-gates.ts"
import { launchListener, listenerOf } from "./run-listener.ts"
import type { RunOnServerOptions } from "./run-on-server.ts"
import { withTelemetry } from "../with-telemetry.ts"
import { earlyMessage, exitCodeOfRun, shownRun, writeJunit } from "./run-end.ts"
import { readEvaluation } from "./file/read-evaluation.ts"

/** Without `out`, the results go to a folder of their own below the data folder. */
export interface RunHereOptions extends RunOnServerOptions {
  /** The gates that are not a part of the job, so that others can be given without asking again. */
  readonly gates: readonly ScoreGate[]
  /** The texts of those of the command line. */
  readonly givenGates: readonly string[]
  /** Absolute path. */
  readonly dataFolder: string
  /** Absolute path of the file with the prices of models. */
  readonly pricesFile: string | undefined
  /** Do not resume an interrupted run, and ask for recorded answers again. */
  readonly fresh: boolean
  readonly recording: Parameters<typeof localRuns.run>[1]["recording"]
}

/** Runs an evaluation file in this process and prints the outcome. */
export async function runHere(context: Context, options: RunHereOptions): Promise<ExitCode> {
  const { file, overrides, json, junit, summary } = options
  context.keepHeapSmall()
  const job = jobOfFile(file, { workspace: defaultWorkspace(context), overrides })
  await using comparison = await againstFolder(context, options.against)
  const name = runName(job, file)
  const reporter = createProgressReporter(context, { json })
  const listener = launchListener(context, reporter, { file, job })
  const { signal } = context
  const location = { file: file.path ?? null, folder: file.folder, cell: file.cell }
  const prices = await readPrices(options.pricesFile, context.cwd)
  const result = await withTelemetry(context, (telemetry) =>
    localRuns.run(localPorts(context, { telemetry, prices }), { ...options, ...location, job, name, listener, signal }),
  )
  // Awaited, because the results of the comparison are closed when this function returns.
  const { onEnd, isInformative } = options
  const compareEnd = comparison?.compare
  return await printResult(context, result, {
    name,
    job,
    json,
    junit,
    summary,
    reporter,
    compareEnd,
    isInformative,
    onEnd,
    askAgain: askingRun(context, options),
  })
}

/** Options of `assay eval resume|retry-failed`. */
export interface ContinueOptions extends JsonOption {
  readonly keyHost?: readonly string[]
  readonly allowFolder?: readonly string[]
  /** Where the shards of a run that was cut share the rates of endpoints. */
  readonly pace?: string
}

/**
 * Runs `assay eval resume|retry-failed <folder>`: resumes the run of a folder, or asks again about the rows that failed.
 * @throws `bad_usage` if the folder does not contain a run, or if its file or rows have changed
 */
export async function runFolderAgain(
  given: Context,
  written: string,
  what: "resume" | "retry-failed",
  { json = false, keyHost, allowFolder = [] }: ContinueOptions,
): Promise<ExitCode> {
  const context = withKeyHosts(given, keyHost)
  const runFolder = resolve(context.cwd, written)
  const record = await runRecord.ofFile(runFolder, written)
  const files = await readEvaluation(context, record.file, { allowFolder })
  const file = files[record.cell ?? 0] ?? files[0]
  const job = jobOfFile(file, { workspace: defaultWorkspace(context), overrides: record.overrides })
  const reporter = createProgressReporter(context, { json })
  const again: Parameters<typeof localRuns.again>[1] = {
    job,
    folder: file.folder,
    runFolder,
    name: written,
    record,
    scope: { kind: what === "resume" ? "run" : what },
    // They are part of the job if it could end early.
    gates:
      record.overrides.gates === undefined ? jobGates.ofFile(file, gatesGiven({ gate: record.given_gates })).gates : [],
    listener: listenerOf(reporter, job),
    signal: context.signal,
  }
  const prices = await readPrices(record.prices ?? pricesFileOf(context, undefined), context.cwd)
  const result = await withTelemetry(context, (telemetry) =>
    localRuns.again(localPorts(context, { telemetry, prices }), again),
  )
  return printResult(context, result, {
    name: basename(runFolder),
    job,
    json,
    junit: undefined,
    summary: undefined,
    reporter,
    compareEnd: undefined,
    askAgain: askingRunOf(context, record),
  })
}

interface ShownRun {
  readonly name: string
  readonly job: LaunchSubject
  readonly json: boolean
  readonly junit: string | undefined
  readonly summary: string | undefined
  readonly reporter: ProgressReporter
  readonly compareEnd: ((folder: string) => Promise<Compared>) | undefined
  /** Whether no results were written, because shards are missing. Default false. */
  readonly isUnmerged?: boolean | undefined
  /** Whether the comparison has no effect on the exit code. Default false. */
  readonly isInformative?: boolean | undefined
  readonly onEnd?: RunOnServerOptions["onEnd"]
  /** The command that is proposed instead of `resume` and `retry-failed`. Undefined: those are. */
  readonly askAgain?: string | undefined
}

/** Prints the end of a run of this machine, and returns the exit code. @throws the reason of the signal if the run was interrupted */
export async function printResult(context: Context, result: AttemptResult, shown: ShownRun): Promise<ExitCode> {
  const { id, outcome, details, gates, milliseconds, isInterrupted } = result
  const { status, message, conditions, progress } = outcome
  const { name, job, json, junit, reporter, compareEnd, isInformative = false, isUnmerged = false } = shown
  const folder = shownRun(context, result.folder)
  if (isInterrupted) {
    reporter.say(`${keptRows(progress)} answered and kept in ${folder}`)
    throw context.signal.reason
  }
  if (junit !== undefined) {
    await writeJunit(context, junit, { ...outcome, job: { id, ...job }, gates })
  }
  const results = isUnmerged ? {} : { results: folder }
  const verdict = jobVerdict({ status, gates, conditions, failed: progress.failed })
  const record = { name, id, status, verdict, message, result: outcome.result, conditions, gates, folder, ...results }
  const compared = status === "COMPLETED" ? await compareEnd?.(result.folder) : undefined
  const { comparison } = compared ?? {}
  // Other jobs can't be compared with results that do not exist.
  if (!isUnmerged)
    shown.onEnd?.({ job: result.folder, result: outcome.result, judged: verdict, verdict: comparison?.verdict })
  const notes = await adviseOnJudges(context, job.config, outcome.result, folder)
  const explained = explainJob({ id, ...job, status, status_details: details, conditions: [...conditions] }, folder)
  // A shard that failed is asked again as a whole.
  const next = nextCommands(explained.next, shown.askAgain).map((one) =>
    isUnmerged ? one.replace(" eval retry-failed ", " eval resume ") : one,
  )
  const code = exitCodeWith(
    exitCodeOfRun({ status, gates, conditions, failed: progress.failed }),
    isInformative ? undefined : compared,
  )
  const isShown = shown.summary !== undefined || (verdict === "FAIL" && !json)
  // The rows of a run in a bucket are not on this machine.
  const worst =
    isShown && outcome.result !== null && isAbsolute(result.folder)
      ? await worstRowsHere(result.folder, folder, context.signal)
      : []
  await writeSummary(context, shown, () => {
    const links = isUnmerged ? [] : [{ label: "Report", path: `${folder}/results/report.html` }]
    return summaryOfJob({ ...outcome, ...job, ...result, name, code, comparison, notes, worst, links, next })
  })
  if (isOnStdout(shown)) return code
  await print(context, { json }, { ...record, notes, ...given({ comparison }) }, (_record, layout) => {
    const scores = outcome.result === null ? null : resultScores.list(outcome.result)
    const early = earlyMessage(job.config, details, message)
    const shown = {
      ...record,
      verdict: verdictWith(verdict, code, isInformative ? undefined : compared),
      message: details.message,
      early,
      scores,
      worst: verdict === "FAIL" ? worst : [],
      notes,
      rows: progress.processed,
      milliseconds,
      next,
      cost: details.cost,
    }
    return formatOutcome(shown, layout) + formatCompared(compared)
  })
  return code
}

function keptRows({ processed, total }: AttemptResult["outcome"]["progress"]): string {
  if (total === null) return formatCount(processed, "row is", "rows are")
  return `${processed} of ${formatCount(total, "row is", "rows are")}`
}

interface OptionalPorts {
  readonly telemetry?: Telemetry | undefined
  readonly prices: PriceTable | undefined
}

/** Returns what jobs that run in this process use of it. */
export function localPorts(context: Context, { telemetry, prices }: OptionalPorts): LocalPorts {
  const { home, now, random, randomBytes, sleep, signal, nodeVersion, platform } = context
  return {
    keys: keyVariables(context),
    home,
    filesets: filesetsOfServer(context),
    getGuardrail: async (workspace, name) =>
      (await openClient(context).guardrails.get(workspace, name, { signal })).data,
    readGuardrailFile: (folder, name) => readGuardrailFile(guardrailFiles({ ...context, cwd: folder }), name),
    schemas: localSchemas(context),
    openSandbox: () => openLocalSandbox(context),
    findContainerTool: () => findContainerTool(context),
    inference: { now: () => performance.now(), random, sleep },
    telemetry,
    prices,
    now,
    random,
    randomBytes,
    sleep,
    pid: process.pid,
    isProcessAlive,
    programs: { assay: readVersion(), node: nodeVersion, platform },
  }
}

import { resolve } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import {
  jobGates,
  type JobOverrides,
  locateFaults,
  type OpenedEvaluationFile,
  overridesOf,
  stateOfFile,
} from "@assay/local"
import type { Summary } from "@assay/reports"
import { type EvaluationParams, printable } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { describeError, formatError } from "../../output/describe-error.ts"
import { writeStyled, writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { checkReports, type SummaryOption, writeSummary } from "../summary/write-summary.ts"
import { given as givenOf } from "../option-values.ts"
import type { AgainstOptions } from "../baseline/compare-with-baseline.ts"
import { withKeyHosts } from "../guard/inference-key.ts"
import { checkNoPrices, pricesFileOf } from "./prices-file.ts"
import { type EngineOptions, usesEngine } from "./engines/engine-options.ts"
import { type GateOptions, gatesGiven } from "./given-gates.ts"
import { isBucket, STOP_EARLY_AGAINST } from "./run-end.ts"
import { type JobRunOptions, locationOfJob, runJobs } from "./run-jobs.ts"
import { checkCommands } from "./file/check-commands.ts"
import { runHere } from "./run-here.ts"
import { withPace } from "./shards/pace-location.ts"
import { checkRecording, recordingOf, recordingOfServer } from "./recording/recorded-answers.ts"
import type { RecordingOptions } from "../recording-options.ts"
import { withSharedRecording } from "./recording/shared-recording.ts"
import { checkKeysOf, type FolderOptions, readEvaluation } from "./file/read-evaluation.ts"

/** Options of `assay eval run`. */
export interface EvalRunOptions
  extends SummaryOption, JobOverrides, AgainstOptions, EngineOptions, RecordingOptions, FolderOptions, GateOptions {
  readonly local?: boolean
  readonly dataDir: string
  readonly out?: string
  readonly junit?: string
  readonly skipChecks?: boolean
  readonly keyHost?: readonly string[]
  readonly prices?: string
  readonly force?: boolean
  readonly watch?: boolean
}

const POLL_MS = 300

/** Runs `assay eval run <file>`: in this process, or on the server that is named. Exit code 1 if the job or a gate fails. */
export async function runEvaluation(given: Context, name: string, options: EvalRunOptions): Promise<ExitCode> {
  const context = withPace(withKeyHosts(given, options.keyHost), options.pace)
  await checkReports(context, options)
  const isOnServer = !usesEngine(options) && usesServer(context, options)
  checkRecording(options, isOnServer)
  const runOnce = (force = options.force === true) => {
    const summarised = new Set<unknown>()
    const runJobsOf = (own: EvalRunOptions) => runFile(context, name, own, summarised)
    const run = isOnServer
      ? runJobsOf({ ...options, force, inFileset: recordingOfServer(options) })
      : withSharedRecording(context, { ...options, force }, runJobsOf)
    return run.catch(async (error: unknown) => {
      if (!context.signal.aborted && !summarised.has(error))
        await writeSummary(context, options, () => summaryOfFailure(context, name, error))
      throw error
    })
  }
  return options.watch === true && !usesEngine(options) ? runOnChange(context, name, runOnce, options) : runOnce()
}

function usesServer({ env }: Context, { local = false }: EvalRunOptions): boolean {
  return !local && (env["ASSAY_URL"] ?? "") !== ""
}

/** Returns the summary of a run that could not begin. */
function summaryOfFailure(context: Context, name: string, error: unknown): Summary {
  const { message, remedy, failed_checks: checks } = describeError(error, { usage: "eval run", words: [] }, context)
  const messages = checks?.map((check) => check.message) ?? [message]
  return { name, verdict: "FAIL", failure: { messages, remedy } }
}

/** @param summarised receives an error that is in the summary already */
async function runFile(
  context: Context,
  name: string,
  options: EvalRunOptions,
  summarised: Set<unknown>,
): Promise<ExitCode> {
  const files = await readEvaluation(context, name, options)
  if (!usesEngine(options)) checkKeysOf(context, files, usesServer(context, options))
  const run = usesEngine(options) ? (await import("./engines/run-on-engine.ts")).runOnEngine : runOpened
  return runJobs(context, files, options, async (ofJob, file, own) => {
    try {
      return await run(ofJob, file, own)
    } catch (given) {
      const error = locateFaults.inRefusal(given, file.document)
      // The summary of several jobs keeps those before the one that is refused.
      if (ofJob.keepSummary !== undefined && !context.signal.aborted) {
        await writeSummary(ofJob, options, () => summaryOfFailure(context, file.label ?? name, error))
        summarised.add(error)
      }
      throw error
    }
  })
}

async function runOpened(
  context: Context,
  file: OpenedEvaluationFile,
  options: EvalRunOptions & JobRunOptions,
): Promise<ExitCode> {
  const { output } = file.content
  if (options.stopEarly === true && options.against !== undefined) {
    throw new AssayError("bad_usage", STOP_EARLY_AGAINST)
  }
  const given = gatesGiven(options)
  const out = locationOfJob(context, file, options.out)
  if (out !== undefined && isBucket(out)) {
    const message = `Results go to '${printable(out)}' from an engine only: add --executor local, or give a folder as --out.`
    throw new AssayError("bad_usage", message)
  }
  const { dataDir, json = false, junit, summary, skipChecks = false, fresh = false, force: overwrite = false } = options
  const { against, margin, allowChanged, accept, names, onEnd, isInformative } = options
  const common = {
    against: givenOf({ against, margin, allowChanged, accept, names }),
    out,
    overwrite,
    json,
    junit,
    summary,
    skipChecks,
    onEnd,
    isInformative,
  }
  if (usesServer(context, options)) {
    checkNoPrices(options.prices)
    const { runOnServer } = await import("./run-on-server.ts")
    return runOnServer(context, { ...common, file: jobGates.inJob(file, given), overrides: overridesOf(options) })
  }
  checkCommands(context, file)
  const { executor: profile, shards, at_once: atOnce } = paramsOf(file)
  if (profile !== undefined) {
    const { runOnEngine } = await import("./engines/run-on-engine.ts")
    return runOnEngine(context, file, { ...givenOf({ profile, shards, atOnce }), ...options })
  }
  if (out === undefined && output !== undefined) {
    const message = `${file.name} sends its results to '${printable(output)}', which is on a server: give --server (or set ASSAY_URL), or --out.`
    throw new AssayError("bad_usage", message)
  }
  const { gates, early } = jobGates.ofFile(file, given)
  return runHere(context, {
    ...common,
    file,
    gates,
    givenGates: early === undefined ? (options.gate ?? []) : [],
    overrides: overridesOf(early === undefined ? options : { ...options, gates: early }),
    dataFolder: resolve(context.cwd, dataDir),
    pricesFile: pricesFileOf(context, options.prices),
    fresh,
    recording: recordingOf(context, options),
  })
}

function paramsOf({ content: { config } }: OpenedEvaluationFile): EvaluationParams {
  return typeof config === "string" ? {} : (config.params ?? {})
}

/** Runs now and whenever the file or its rows change, until Ctrl-C. A failure is printed, and the next change starts a new run. */
async function runOnChange(
  context: Context,
  name: string,
  runOnce: (force?: boolean) => Promise<ExitCode>,
  options: JsonOption & FolderOptions,
): Promise<ExitCode> {
  const { home, signal, stderr } = context
  const { json } = options
  if (name === "-") throw new AssayError("bad_usage", "--watch needs a file: stdin can't change.")
  const read = () => readEvaluation(context, name, options)
  // A changed file is another job. The results that it replaces are those of the run before.
  let hasRun = false
  for (;;) {
    const before = await stateOfFile(read, home)
    try {
      await (hasRun ? runOnce(true) : runOnce())
      hasRun = true
    } catch (error) {
      if (signal.aborted || !isAssayError(error)) throw error
      await writeStyled(stderr, formatError(describeError(error, { usage: "eval run", words: [] }, context)))
    }
    if (json !== true) await writeText(stderr, `\nwatching ${name} and its rows; Ctrl-C ends\n`)
    while ((await stateOfFile(read, home)) === before) {
      if (signal.aborted) return EXIT.interrupted
      await wait(POLL_MS)
    }
  }
}

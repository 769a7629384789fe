import { isLargeRun } from "@assay/attempts"
import { type JobOverrides, locateFaults, type OpenedEvaluationFile, overridesOf, servedFiles } from "@assay/local"
import { type EvaluationJob, printable } from "@assay/schemas"
import { createProgressReporter, formatEstimate, type ProgressReporter } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { defaultWorkspace, openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { keyVariables, withKeyHosts } from "../guard/inference-key.ts"
import { print } from "../print.ts"
import type { RecordingOptions } from "../recording-options.ts"
import { openJobResults } from "./print-jobs.ts"
import { checkKeysOf, type FolderOptions, readEvaluation } from "./file/read-evaluation.ts"
import { checkRecording, recordingOfServer } from "./recording/recorded-answers.ts"

export interface LaunchOptions extends JsonOption, JobOverrides, RecordingOptions, FolderOptions {
  readonly skipChecks?: boolean
  readonly keyHost?: readonly string[]
}

/** Runs `assay eval launch <file>`: launches each job of the file. */
export async function launchEvaluation(given: Context, name: string, options: LaunchOptions): Promise<void> {
  checkRecording(options, true)
  const context = withKeyHosts(given, options.keyHost)
  const reporter = createProgressReporter(context, options)
  const files = await readEvaluation(context, name, options)
  checkKeysOf(context, files, true)
  const results = openJobResults(context, files, options)
  try {
    for (const file of files) await launchOne(results.contextOf(file), file, options, reporter)
  } finally {
    // Jobs before one that is refused are launched.
    await results.print()
  }
}

async function launchOne(
  context: Context,
  file: OpenedEvaluationFile,
  options: LaunchOptions,
  reporter: ProgressReporter,
): Promise<void> {
  const launched = { ...options, inFileset: recordingOfServer(options), gatesInJob: true }
  const job = await launchOnServer(context, file, launched, reporter).catch((error: unknown) => {
    throw locateFaults.inRefusal(error, file.document)
  })
  const of = file.label === undefined ? "" : ` for ${printable(file.label)}`
  await print(context, options, job, ({ id, status }) => {
    return `launched ${id} (${status})${of}\n    assay eval watch ${id}\n`
  })
}

/** Launches a file on the server, and says what it asks and costs if that is much. @throws `launch_refused` */
export async function launchOnServer(
  context: Context,
  file: OpenedEvaluationFile,
  options: JobOverrides & Pick<LaunchOptions, "skipChecks"> & { readonly gatesInJob?: boolean },
  reporter: ProgressReporter,
): Promise<EvaluationJob> {
  const job = await servedFiles.launch(file, {
    ...fileOptions(context, options, (text) => reporter.say(text)),
    skipChecks: options.skipChecks === true,
    gatesInJob: options.gatesInJob,
  })
  const { estimate } = job.status_details
  if (estimate !== undefined && isLargeRun(estimate)) reporter.say(`${formatEstimate(estimate)}\n`)
  return job
}

/** Returns the options for a file whose rows and keys are sent to the server. */
export function fileOptions(context: Context, overrides: JobOverrides, say: (text: string) => void) {
  const { home, signal } = context
  return {
    server: openClient(context),
    workspace: defaultWorkspace(context),
    overrides: overridesOf(overrides),
    keys: keyVariables(context),
    home,
    say,
    signal,
  }
}

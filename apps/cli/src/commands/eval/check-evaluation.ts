import { resolve } from "node:path"
import {
  jobOfFile,
  type JobOverrides,
  localRuns,
  locateFaults,
  type OpenedEvaluationFile,
  overridesOf,
  servedFiles,
} from "@assay/local"
import { readPrices } from "@assay/evaluation"
import { type LaunchCheckOutcome, type LaunchCheckProgress, printable } from "@assay/schemas"
import { createProgressReporter, formatCount, formatEstimate, type ProgressReporter } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { EXIT_OF_VERDICT, type ExitCode } from "../../exit-code.ts"
import { formatFailedChecks } from "../../output/failed-checks.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { defaultWorkspace } from "../../open-client.ts"
import { withKeyHosts } from "../guard/inference-key.ts"
import { fileOptions } from "./launch-evaluation.ts"
import { openJobResults } from "./print-jobs.ts"
import { checkNoPrices, pricesFileOf } from "./prices-file.ts"
import { localPorts } from "./run-here.ts"
import { type FolderOptions, readEvaluation } from "./file/read-evaluation.ts"

export interface CheckOptions extends JsonOption, JobOverrides, FolderOptions {
  readonly local?: boolean
  readonly dataDir: string
  readonly prices?: string
  readonly keyHost?: readonly string[]
}

/** Runs `assay eval plan <file>`: runs the launch checks, and launches nothing. Exit code 1 if one failed. */
export async function checkEvaluation(given: Context, name: string, options: CheckOptions): Promise<ExitCode> {
  const context = withKeyHosts(given, options.keyHost)
  const reporter = createProgressReporter(context, options)
  const files = await readEvaluation(context, name, options)
  const isServed = options.local !== true && (context.env["ASSAY_URL"] ?? "") !== ""
  if (isServed) checkNoPrices(options.prices)
  const results = openJobResults(context, files, options)
  let isLaunchable = true
  for (const file of files) {
    if (file.label !== undefined) reporter.say(`${printable(file.label)} (${file.cell + 1} of ${files.length})`)
    isLaunchable = (await checkJob(results.contextOf(file), file, { ...options, isServed, reporter })) && isLaunchable
  }
  await results.print()
  return EXIT_OF_VERDICT[isLaunchable ? "PASS" : "FAIL"]
}

interface JobCheck extends CheckOptions {
  readonly isServed: boolean
  readonly reporter: ProgressReporter
}

/** Checks a job of the file, prints the outcome, and returns whether the job can be launched. */
async function checkJob(context: Context, file: OpenedEvaluationFile, options: JobCheck): Promise<boolean> {
  const { isServed, reporter } = options
  const onCheck = (progress: LaunchCheckProgress): void => {
    if (progress.status !== "running") reporter.say(formatCheck(progress))
  }
  const checked = isServed
    ? await servedFiles.check(file, { ...fileOptions(context, options, (text) => reporter.say(text)), onCheck })
    : await localRuns.check(
        localPorts(context, { prices: await readPrices(pricesFileOf(context, options.prices), context.cwd) }),
        {
          job: jobOfFile(file, { workspace: defaultWorkspace(context), overrides: overridesOf(options) }),
          folder: file.folder,
          dataFolder: resolve(context.cwd, options.dataDir),
          signal: context.signal,
          onCheck,
        },
      )
  const outcome = {
    ...checked,
    failed_checks: [...locateFaults.inChecks(checked.failed_checks, file.document)],
    warnings: [...locateFaults.inChecks(checked.warnings, file.document)],
  }
  await print(context, options, outcome, formatOutcome)
  return outcome.launchable
}

function formatCheck({ check, places, status }: LaunchCheckProgress): string {
  return printable(`${status.padEnd(6)}  ${check}${places.length === 0 ? "" : `  ${places.join(", ")}`}`)
}

function formatOutcome({ launchable, failed_checks: failed, warnings, estimate }: LaunchCheckOutcome): string {
  const parts = [
    failed.length === 0 ? "" : `failed checks:\n\n${formatFailedChecks(failed)}\n\n`,
    warnings.length === 0 ? "" : `warnings:\n\n${formatFailedChecks(warnings)}\n\n`,
    launchable ? "The job can be launched" : "The job cannot be launched",
    `: ${countOf(estimate.rows, "row")}, ${countOf(estimate.requests, "request")}\n`,
    `${formatEstimate(estimate)}\n`,
  ]
  return parts.join("")
}

function countOf(count: number | null, one: string): string {
  return count === null ? `unknown number of ${one}s` : formatCount(count, one)
}

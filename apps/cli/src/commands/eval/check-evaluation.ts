import { checkFile, readEvaluationFile, type JobOverrides } from "@assay/evaluation"
import type { LaunchCheckOutcome, LaunchCheckProgress, LaunchEstimate } from "@assay/schemas"
import { parseYaml } from "@assay/schemas/documents"
import { createProgressReporter, estimateFacts } from "@assay/reports/terminal/evaluations"
import { printable } from "@assay/schemas/printable"
import type { Context } from "../../context.ts"
import { EXIT_OF_VERDICT, type ExitCode } from "../../exit-code.ts"
import { formatFailedChecks } from "../../output/failed-checks.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { withServer } from "../with-server.ts"
import { fileOptions } from "./launch-evaluation.ts"

export interface CheckOptions extends JsonOption, JobOverrides {
  readonly server?: string
}

/** `assay eval check <file>`: runs the launch checks on the server, and launches nothing. Exit code 1 if one failed. */
export async function checkEvaluation(given: Context, name: string, options: CheckOptions): Promise<ExitCode> {
  const context = withServer(given, options.server)
  const reporter = createProgressReporter(context, options)
  const file = await readEvaluationFile(name, { ...context, parse: parseYaml })
  const outcome = await checkFile(file, {
    ...fileOptions(context, options, (text) => reporter.say(text)),
    onCheck: (progress) => {
      if (progress.status !== "running") reporter.say(formatCheck(progress))
    },
  })
  await print(context, options, outcome, formatOutcome)
  return EXIT_OF_VERDICT[outcome.launchable ? "PASS" : "FAIL"]
}

function formatEstimate(estimate: LaunchEstimate): string {
  const facts = estimateFacts(estimate).map(({ name, value }) => `    ${name.padEnd(18)} ${value}`)
  return ["", ...facts, "", ...estimate.notes.map((note) => `    ${note}`)].map(printable).join("\n")
}

function formatCheck({ check, places, status }: LaunchCheckProgress): string {
  return printable(`${status.padEnd(6)}  ${check}${places.length === 0 ? "" : `  ${places.join(", ")}`}`)
}

function formatOutcome({ launchable, failed_checks: failed, warnings, estimate }: LaunchCheckOutcome): string {
  const parts = [
    failed.length === 0 ? "" : `failed checks:\n\n${formatFailedChecks(failed)}\n\n`,
    warnings.length === 0 ? "" : `warnings:\n\n${formatFailedChecks(warnings)}\n\n`,
    launchable ? "The job can be launched" : "The job cannot be launched",
    `: ${estimate.rows ?? "unknown number of"} rows, ${estimate.requests ?? "unknown number of"} requests\n`,
    estimate.models.length === 0 ? "" : `${formatEstimate(estimate)}\n`,
  ]
  return parts.join("")
}

import type { FailedCheck, LaunchSubject } from "@assay/attempts"
import { type OpenedEvaluationFile, type localRuns, locateFaults } from "@assay/local"
import { formatEstimate, type ProgressReporter } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { quotedWord } from "../../output/error-hints.ts"
import { formatFailedChecks } from "../../output/failed-checks.ts"
import { shownPath } from "./run-end.ts"

type LaunchListener = Parameters<typeof localRuns.run>[1]["listener"]

/** Returns what shows the events of a run that begins in this process. */
export function launchListener(
  context: Pick<Context, "cwd">,
  reporter: ProgressReporter,
  { file, job }: { readonly file: OpenedEvaluationFile; readonly job: LaunchSubject },
): LaunchListener {
  return {
    ...listenerOf(reporter, job),
    onEstimate: (estimate) => reporter.say(`${formatEstimate(estimate)}\n`),
    onWarnings: (warnings) => sayWarnings(reporter, file, warnings),
    onResumed: (folder) =>
      reporter.say(`resuming ${shownPath(context, folder)}, which was interrupted; --fresh starts a new run`),
    onOtherInterrupted: (folder, canResume) =>
      reporter.say(`a new run, because ${describeOther(shownPath(context, folder), canResume)}`),
  }
}

/** Returns what shows the progress of a run. */
export function listenerOf(
  reporter: ProgressReporter,
  { config }: LaunchSubject,
): Parameters<typeof localRuns.again>[1]["listener"] {
  return {
    onProgress: (progress) => reporter.show(progress),
    // A harness may run for hours, and its log is the only sign of progress.
    onLog: ({ level, message }) => {
      if (level === "error" || config.type === "benchmark") reporter.say(printable(message))
    },
    onRowsDone: () => reporter.end(),
  }
}

/** Says what the launch checks of a file warn of. */
export function sayWarnings(
  reporter: ProgressReporter,
  { document }: Pick<OpenedEvaluationFile, "document">,
  warnings: readonly FailedCheck[],
): void {
  const located = locateFaults.inChecks(warnings, document)
  reporter.say(`warnings of the launch checks:\n\n${formatFailedChecks(located)}\n`)
}

function describeOther(folder: string, canResume: boolean): string {
  return canResume
    ? `${folder}, which was interrupted, has other options: \`assay eval resume ${quotedWord(folder)}\` continues it`
    : `${folder} was interrupted before the file or its rows changed`
}

import { type JobOverrides, type OpenedEvaluationFile, resultsFolder } from "@assay/local"
import { createProgressReporter, formatJson } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { openClient } from "../../open-client.ts"
import { formatError, type DescribedError } from "../../output/describe-error.ts"
import { writeStyled, writeText } from "../../output/write-text.ts"
import { type AgainstOptions, againstServer } from "../baseline/compare-with-baseline.ts"
import { linkOfJob } from "../summary/summary-of-job.ts"
import { launchOnServer } from "./launch-evaluation.ts"
import type { JobEnd } from "./run-end.ts"
import { printEnd, showJob } from "./watch-evaluation.ts"

export interface RunOnServerOptions {
  readonly file: OpenedEvaluationFile
  /** The baseline with which the job is compared at its end. */
  readonly against: AgainstOptions
  readonly overrides: JobOverrides
  /** Absolute path for a copy of the results. Undefined: they stay on the server. */
  readonly out: string | undefined
  /** Replace the results of another job in `out`. */
  readonly overwrite: boolean
  readonly json: boolean
  readonly junit: string | undefined
  /** The file for the summary in Markdown. */
  readonly summary: string | undefined
  readonly skipChecks: boolean
  /** Receives the job when it has ended. */
  readonly onEnd?: ((end: JobEnd) => void) | undefined
  /** Whether the comparison has no effect on the exit code. Default false. */
  readonly isInformative?: boolean | undefined
}

/** Launches a file on a server and follows the job to its end. After Ctrl-C the job keeps running. */
export async function runOnServer(context: Context, options: RunOnServerOptions): Promise<ExitCode> {
  const { file, overrides, skipChecks, out, overwrite, junit, summary, json } = options
  // The new job differs from that of any existing results.
  if (out !== undefined) await resultsFolder.check(out, { overwrite })
  const client = openClient(context)
  const compareEnd = await againstServer(context, client, options.against)
  const reporter = createProgressReporter(context, { json })
  const { id } = await launchOnServer(context, file, { ...overrides, skipChecks }, reporter)
  reporter.say(`launched ${id} on ${client.url}\n    ${linkOfJob(client, id).url}`)
  try {
    await showJob(context, client, id, reporter)
  } catch (error) {
    if (!context.signal.aborted) throw error
    if (json) await writeText(context.stderr, formatJson({ error: describeInterrupt(id) }))
    else await writeStyled(context.stderr, formatError(describeInterrupt(id)))
    return EXIT.interrupted
  }
  const { onEnd, isInformative } = options
  return printEnd(context, client, id, {
    out,
    overwrite,
    junit,
    summary,
    json,
    compareEnd,
    isInformative,
    onEnd,
  })
}

/** Suggests `eval watch`, because the same command would launch another job. */
function describeInterrupt(id: string): DescribedError {
  const remedy = `Follow the job again, or stop it with \`assay eval cancel ${id}\`.`
  return {
    code: "interrupted",
    message: `Interrupted; ${id} keeps running on the server.`,
    remedy,
    command: `assay eval watch ${id}`,
  }
}

import { resolve } from "node:path"
import { formatReleaseJunit, formatReleaseSummary } from "@assay/reports"
import { formatRelease } from "@assay/reports/terminal"
import type { ReleaseReport } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { EXIT_OF_VERDICT, type ExitCode } from "../../exit-code.ts"
import { writeFile } from "../../output/write-file.ts"
import { print } from "../print.ts"
import { isOnStdout, type SummaryOption, writeSummary } from "../summary/write-summary.ts"

export interface ReportReleaseOptions extends SummaryOption {
  readonly junit?: string
}

/** Writes and prints the outcome of a release policy, and returns the exit code. */
export async function reportRelease(
  context: Context,
  options: ReportReleaseOptions,
  report: ReleaseReport,
): Promise<ExitCode> {
  await writeSummary(context, options, () => (limits) => formatReleaseSummary(report, limits))
  if (options.junit !== undefined) await writeFile(resolve(context.cwd, options.junit), formatReleaseJunit(report))
  if (!isOnStdout(options)) await print(context, options, report, formatRelease)
  return EXIT_OF_VERDICT[report.verdict]
}

import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { formatSummary, type Summary } from "@assay/reports"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { checkReportFile } from "../../output/check-report-file.ts"
import { appendFile, writeFile } from "../../output/write-file.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"

export interface SummaryOption extends JsonOption {
  readonly summary?: string | undefined
}

interface ReportOptions extends SummaryOption {
  readonly junit?: string | undefined
}

/** GitHub refuses the summary of a step that is larger. Several commands of a step share it. */
const MAX_BYTES = 1024 * 1024

/** Checks the files of reports before a command costs anything. @throws `bad_usage`, `output_exists` */
export async function checkReports(
  context: Pick<Context, "cwd" | "env">,
  { summary, junit, json }: ReportOptions,
): Promise<void> {
  if (summary === "") {
    const message =
      "--summary names no file: is the variable that it takes the name from, such as GITHUB_STEP_SUMMARY, set?"
    throw new AssayError("bad_usage", message)
  }
  if (summary === "-" && json === true)
    throw new AssayError("bad_usage", "--summary - and --json both write to stdout: give --summary a file.")
  await checkReportFile(context, "--junit", { name: junit, format: "JUnit XML" })
  if (summary !== undefined && isStepSummary(context, summary)) return
  await checkReportFile(context, "--summary", { name: summary, format: "Markdown" })
}

/** Returns whether the summary takes the place of what a command prints. */
export function isOnStdout({ summary }: SummaryOption): boolean {
  return summary === "-"
}

/** Formats a summary in Markdown that has at most this many bytes. */
type FormatSummary = (limits?: { readonly maxBytes: number }) => string

/** Writes a summary to the file of the option, if there is one. The step summary of GitHub is appended to; other files are replaced. */
export async function writeSummary(
  { cwd, env, stdout, keepSummary }: Pick<Context, "cwd" | "env" | "stdout" | "keepSummary">,
  { summary: name }: SummaryOption,
  describe: () => Summary | Promise<Summary> | FormatSummary,
): Promise<void> {
  if (name === undefined) return
  const summary = await describe()
  const format: FormatSummary = typeof summary === "function" ? summary : (limits) => formatSummary(summary, limits)
  if (name === "-") return writeText(stdout, format())
  const file = resolve(cwd, name)
  if (!isStepSummary({ cwd, env }, name))
    return keepSummary === undefined ? writeFile(file, format()) : keepSummary(format())
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  // The text of another command may lack a line end.
  const gap = size === 0 ? "" : "\n"
  await appendFile(file, gap + format({ maxBytes: MAX_BYTES - size - gap.length }))
}

/** Returns whether a file is the summary of GitHub's step, to which several commands write. */
function isStepSummary({ cwd, env }: Pick<Context, "cwd" | "env">, name: string): boolean {
  const step = env["GITHUB_STEP_SUMMARY"] ?? ""
  return step !== "" && resolve(cwd, step) === resolve(cwd, name)
}

/** Returns the verdict that an exit code means. */
export function verdictOf(code: ExitCode): Summary["verdict"] {
  if (code === EXIT.no) return "FAIL"
  return code === EXIT.inconclusive ? "INCONCLUSIVE" : "PASS"
}

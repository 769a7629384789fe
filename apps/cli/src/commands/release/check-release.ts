import { dirname, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { resultsFolder } from "@assay/jobs"
import { formatReleaseJunit, formatReleaseSummary } from "@assay/reports"
import { formatRelease } from "@assay/reports/terminal"
import { decideRelease } from "@assay/results"
import { type PolicyEvaluation, printable, readReleasePolicy } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { parseYaml } from "@assay/schemas/validation"
import { readLocalText } from "@assay/storage"
import type { Context } from "../../context.ts"
import { EXIT_OF_VERDICT, type ExitCode } from "../../exit-code.ts"
import { writeFile } from "../../output/write-file.ts"
import { print } from "../print.ts"
import { checkSummary, isOnStdout, type SummaryOption, writeSummary } from "../summary/write-summary.ts"
import { checkNumbers } from "./check-rows.ts"

type ReleaseEvaluation = Parameters<typeof decideRelease>[0][number]

export interface CheckReleaseOptions extends SummaryOption {
  readonly junit?: string
}

/** Runs `assay release check <policy>`: decides a release by the results of many evaluations. */
export async function checkRelease(context: Context, name: string, options: CheckReleaseOptions): Promise<ExitCode> {
  checkSummary(options)
  const { cwd, signal, stdin } = context
  const path = name === "-" ? undefined : resolve(cwd, name)
  const source = path === undefined ? await text(stdin) : await readLocalText(path)
  const { alpha, evaluations } = readReleasePolicy(parseYaml(source, path === undefined ? "stdin" : printable(name)))
  const folder = path === undefined ? cwd : dirname(path)
  const opened: ReleaseEvaluation[] = []
  for (const policy of evaluations) opened.push(await openEvaluation(context, policy, folder))
  const report = await decideRelease(opened, { alpha, signal })
  await writeSummary(context, options, () => (limits) => formatReleaseSummary(report, limits))
  if (options.junit !== undefined) await writeFile(resolve(cwd, options.junit), formatReleaseJunit(report))
  if (!isOnStdout(options)) await print(context, options, report, formatRelease)
  return EXIT_OF_VERDICT[report.verdict]
}

async function openEvaluation(context: Context, policy: PolicyEvaluation, folder: string): Promise<ReleaseEvaluation> {
  const { results: name, against: older } = policy
  const { warnings, ...results } = await openChecked(context, name, folder)
  if (older === undefined) return { policy, results: results.found, warnings }
  const against = await openChecked(context, older, folder)
  return { policy, results: results.found, against: against.found, warnings: [...warnings, ...against.warnings] }
}

interface CheckedResults {
  readonly found: ReleaseEvaluation["results"]
  readonly warnings: readonly string[]
}

/** Opens results whose numbers follow from their rows. Rows that were lost or changed decide nothing, also in a comparison. */
async function openChecked(context: Context, name: string, folder: string): Promise<CheckedResults> {
  const found = await openResults(name, folder)
  if (typeof found === "string") return { found, warnings: [] }
  const { fault, warnings } = await checkNumbers(context, resolve(folder, name), name)
  return { found: fault ?? found, warnings }
}

/** Returns the results in a folder, or why there are none that a release could be decided by. */
async function openResults(name: string, folder: string): Promise<ReleaseEvaluation["results"]> {
  const location = resolve(folder, name)
  try {
    const { status } = await resultsFolder.readJob(location, name)
    if (status !== "COMPLETED") return `the job of '${printable(name)}' is ${status}, and not COMPLETED.`
    return await resultsFolder.readJobToCompare(location, name)
  } catch (error) {
    if (!isAssayError(error, "not_found") && !isAssayError(error, "bad_document")) throw error
    const download = `download the job with \`assay eval download ${printable(name)} --out FOLDER\`, and name the folder.`
    return /^eval-\w+$/.test(name) ? `'${printable(name)}' is a job of a server: ${download}` : error.message
  }
}

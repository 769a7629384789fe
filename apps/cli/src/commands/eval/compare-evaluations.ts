import { resolve } from "node:path"
import type { Client } from "@assay/client"
import { compareJobs } from "@assay/results"
import { resultsFolder } from "@assay/local"
import { type Comparison, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode, exitCodeOfVerdict } from "../../exit-code.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { formatComparison } from "@assay/reports/terminal"
import { baselineAddress } from "../baseline/manage-baselines.ts"
import { checkReports, isOnStdout, type SummaryOption, verdictOf, writeSummary } from "../summary/write-summary.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import { readLabelsHere } from "../label/read-labels-here.ts"
import { compareRows, type CompareRowsOptions } from "./compare-rows.ts"

export interface CompareOptions extends CompareRowsOptions, SummaryOption {
  readonly margin?: number
  readonly allowChanged?: boolean
  readonly rows?: boolean
  /** Decide scores of judges by what people would see. */
  readonly corrected?: boolean
  /** A fileset, or for folders a file, or a folder with `labels.jsonl`. */
  readonly labels?: string
}

/** Runs `assay eval compare <a> <b> [c…]`: compares each job with the first one, on a server or here. Exit code 1 if one is worse. */
export async function compareEvaluations(
  context: Context,
  jobsOrFolders: readonly string[],
  options: CompareOptions,
): Promise<ExitCode> {
  if (options.labels !== undefined && options.corrected !== true) {
    throw new AssayError("bad_usage", "--labels is for a comparison by what people would see: add --corrected.")
  }
  if (options.rows === true) {
    await compareRows(context, jobsOrFolders, options)
    return EXIT.done
  }
  await checkReports(context, options)
  const comparison = await compare(context, jobsOrFolders, options)
  const { jobs } = comparison
  const code = exitCodeOfVerdict(comparison.verdict)
  const name = jobs.slice(1).map((job) => job.name)
  await writeSummary(context, options, () => ({ name: name.join(", "), verdict: verdictOf(code), comparison }))
  if (!isOnStdout(options)) await print(context, options, comparison, formatComparison)
  return code
}

async function compare(
  context: Context,
  jobsOrFolders: readonly string[],
  { margin, allowChanged, corrected, labels }: CompareOptions,
): Promise<Comparison> {
  const { signal } = context
  if (jobsOrFolders.length < 2) throw new AssayError("bad_usage", "There is only one job: give two or more to compare.")
  const folders = jobsOrFolders.filter((one) => isLocal(context, one))
  const asked = { ...given({ margin, allowChanged }), signal }
  if (folders.length === 0) {
    const client = openClient(context)
    return client.evaluation.compare(
      await Promise.all(jobsOrFolders.map((jobOrFolder) => jobOf(context, client, jobOrFolder))),
      { ...asked, ...given({ corrected, labels }) },
    )
  }
  const other = jobsOrFolders.find((jobOrFolder) => !isLocal(context, jobOrFolder))
  if (other !== undefined) {
    const id = printable(other)
    const message = `'${id}' is a job of a server, and '${printable(folders[0] ?? "")}' is a folder: first download the job with 'assay eval download ${id} --out ./${id}'.`
    throw new AssayError("bad_usage", message)
  }
  const jobs = jobsOrFolders.map((jobOrFolder) =>
    resultsFolder.readJobToCompare(resolve(context.cwd, jobOrFolder), jobOrFolder),
  )
  const people = corrected === true ? { labels: await readLabelsHere(context, { labels }) } : {}
  return compareJobs(await Promise.all(jobs), { ...asked, ...people })
}

/** Returns the job that a baseline points to; the id of a job is itself. @throws `not_found` */
async function jobOf(context: Context, client: Client, jobOrFolder: string): Promise<string> {
  if (jobOrFolder.startsWith("eval-")) return jobOrFolder
  return (await client.evaluation.baselines.get(...baselineAddress(context, jobOrFolder), context)).job
}

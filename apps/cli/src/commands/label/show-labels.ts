import { resolve } from "node:path"
import { labelSheet } from "@assay/results"
import { formatLabelPage } from "@assay/reports"
import {
  formatCount,
  formatLabelQueue,
  formatLabelReport,
  formatLabels,
  formatLabelsCsv,
} from "@assay/reports/terminal"
import { type DrawnBy, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { checkReportFile } from "../../output/check-report-file.ts"
import { writeFile as writePage } from "../../output/write-file.ts"
import { writeBytes } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { openLabels, type LabelOptions } from "./open-labels.ts"
import { scoreToLabel } from "./score-to-label.ts"
import { type NextPairsOptions, showNextPairs, writeSheet } from "./show-next-pairs.ts"

export interface MetricOptions extends JsonOption, LabelOptions {
  /** Default: the only score of the job. */
  readonly metric?: string
}

export interface NextOptions extends MetricOptions {
  readonly limit: number
  readonly by: DrawnBy
  readonly seed: number
  readonly out?: string
}

/** Runs `assay label next <job> [other]`: the rows to label next, as a table or as a file to fill in. */
export async function showNext(
  context: Context,
  job: string,
  other: string | undefined,
  options: NextOptions & Omit<NextPairsOptions, "metric">,
): Promise<void> {
  if (other !== undefined) {
    const metric = await scoreToLabel(context, job, options.metric)
    return showNextPairs(context, [job, other], { ...options, metric })
  }
  if (options.untilDecided === true) {
    throw new AssayError("bad_usage", "--until-decided is about a comparison: give two jobs.")
  }
  const { limit, by, seed, out } = options
  const metric = await scoreToLabel(context, job, options.metric)
  await using labels = await openLabels(context, job, options)
  const queue = await labels.desk.queue(metric, { by, seed, limit })
  if (out === undefined) return print(context, options, queue, formatLabelQueue)
  await writeSheet(context, out, labelSheet.format(queue))
  const text = `wrote ${formatCount(queue.data.length, "row")} to ${out}: fill in "label" on each line, then\n    assay label add ${job} ${out}\n`
  await print(context, options, { file: out, rows: queue.data.length }, () => text)
}

/** Runs `assay label list <job>`. */
export async function listLabels(
  context: Context,
  job: string,
  options: MetricOptions & { readonly csv?: boolean },
): Promise<void> {
  await using labels = await openLabels(context, job, options)
  const page = await labels.desk.list(await scoreToLabel(context, job, options.metric))
  if (options.csv === true) return writeBytes(context.stdout, Buffer.from(formatLabelsCsv(page)))
  await print(context, options, page, formatLabels)
}

/** Runs `assay label report <job>`: judge, people, and the judge corrected by people. */
export async function reportLabels(
  context: Context,
  job: string,
  options: MetricOptions & { readonly html?: string },
): Promise<void> {
  const { html } = options
  const metric = await scoreToLabel(context, job, options.metric)
  await checkReportFile(context, "--html", { name: html, format: "HTML" })
  await using labels = await openLabels(context, job, options)
  const report = await labels.desk.report(metric)
  if (html !== undefined) await writePage(resolve(context.cwd, html), formatLabelPage(report))
  await print(context, options, report, (found, layout) => {
    return formatLabelReport(found, layout) + (html === undefined ? "" : `\nreport: ${printable(html)}\n`)
  })
}

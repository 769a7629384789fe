import { writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import { resultsFolder } from "@assay/local"
import { jobComparison, labelSheet } from "@assay/results"
import { formatCount, formatPairQueue } from "@assay/reports/terminal"
import { type PairLabelQueue, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import type { LabelOptions } from "./open-labels.ts"
import { readLabelsHere } from "./read-labels-here.ts"

export interface NextPairsOptions extends JsonOption, LabelOptions {
  readonly metric: string
  readonly limit: number
  readonly seed: number
  readonly out?: string
  /** Name rows of two jobs until their comparison is decided. */
  readonly untilDecided?: boolean
  readonly margin: number
  readonly task?: string
  readonly allowChanged?: boolean
}

type TwoJobs = readonly [baseline: string, job: string]

/** Runs `assay label next <job> <other> --until-decided`: what labels decide so far, and the rows of both jobs to label next. */
export async function showNextPairs(context: Context, jobs: TwoJobs, options: NextPairsOptions): Promise<void> {
  const { out, metric, margin, untilDecided, labels } = options
  if (untilDecided !== true) {
    const message =
      "Rows of two jobs are drawn until their comparison is decided: add --until-decided, or give one job."
    throw new AssayError("bad_usage", message)
  }
  const queue = await queueOf(context, jobs, options)
  if (out === undefined || queue.is_decided) {
    return print(context, options, queue, (found, layout) => formatPairQueue(found, layout))
  }
  await writeSheet(context, out, labelSheet.format(queue))
  const place = labels === undefined ? "" : ` --labels ${labels}`
  const commands = [
    ...jobs.map((job) => `assay label add ${job} ${out}${place}`),
    `assay label next ${jobs.join(" ")} --metric ${metric} --margin ${margin} --until-decided${place}`,
  ]
  const text = `wrote ${formatCount(queue.data.length, "row")} to ${out}: fill in "label" on each line, then\n${commands.map((one) => `    ${one}\n`).join("")}`
  await print(context, options, { file: out, rows: queue.data.length, is_decided: false }, () => text)
}

/** Writes a sheet to a new file. An existing one may hold labels that took hours. */
export async function writeSheet({ cwd }: Pick<Context, "cwd">, out: string, text: string): Promise<void> {
  await writeFile(resolve(cwd, out), text, { flag: "wx" }).catch((cause: unknown) => {
    throw new AssayError("bad_usage", `--out '${out}' can't be created; is there such a file already?`, { cause })
  })
}

async function queueOf(context: Context, jobs: TwoJobs, options: NextPairsOptions): Promise<PairLabelQueue> {
  const { metric, margin, seed, limit, labels, task, allowChanged } = options
  const { signal } = context
  const asked = { metric, margin, seed, limit, signal, ...given({ task, allowChanged }) }
  const local = jobs.filter((job) => isLocal(context, job))
  if (local.length === 0) {
    return openClient(context).evaluation.pairsToLabel(jobs, { ...asked, ...given({ labels }) })
  }
  if (local.length === 1) {
    const [a, b] = jobs.map(printable)
    const message = `Of '${a}' and '${b}', one is a job of a server and one a folder: first download the job with 'assay eval download'.`
    throw new AssayError("bad_usage", message)
  }
  const read = async (folder: string) => resultsFolder.readJobToCompare(resolve(context.cwd, folder), folder)
  const people = await readLabelsHere(context, { labels, mayBeMissing: true })
  return jobComparison.queuePairs([await read(jobs[0]), await read(jobs[1])], { ...asked, labels: people })
}

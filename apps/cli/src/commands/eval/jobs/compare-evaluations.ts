import { compareJobs, readRows, type JobToCompare } from "@assay/evaluation"
import type { Comparison } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { openRegularFile } from "@assay/storage/paths"
import type { Context } from "../../../context.ts"
import { EXIT, type ExitCode } from "../../../exit-code.ts"
import { isFolderName } from "../../../is-folder-name.ts"
import { openClient } from "../../../open-client.ts"
import { printable } from "../../../output/printable.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { formatComparison } from "../screen/format-comparison.ts"
import { readResultsFolder } from "./read-results-folder.ts"

export interface CompareOptions extends JsonOption {
  readonly margin?: number
}

const EXIT_OF = { PASS: EXIT.done, INCONCLUSIVE: EXIT.inconclusive, FAIL: EXIT.no } as const

/** `assay eval compare <a> <b> [c…]`: each against the first, on a server or here. The answer is no where one is worse. */
export async function compareEvaluations(
  context: Context,
  places: readonly string[],
  options: CompareOptions,
): Promise<ExitCode> {
  const comparison = await compare(context, places, options)
  await print(context, options, comparison, formatComparison)
  return EXIT_OF[comparison.verdict]
}

async function compare(context: Context, places: readonly string[], { margin }: CompareOptions): Promise<Comparison> {
  const { signal } = context
  if (places.length < 2) throw new AssayError("bad_usage", "There is one job: give two or more to compare.")
  const folders = places.filter(isFolderName)
  const asked = { ...(margin === undefined ? {} : { margin }), signal }
  if (folders.length === 0) return openClient(context).evaluation.compare(places, asked)
  const other = places.find((place) => !isFolderName(place))
  if (other !== undefined) {
    const id = printable(other)
    const message = `'${id}' is a job of a server, and '${printable(folders[0] ?? "")}' a folder: fetch it first with 'assay eval download ${id} --folder ./${id}'.`
    throw new AssayError("bad_usage", message)
  }
  return compareJobs(await Promise.all(places.map((place) => jobOf(context, place))), asked)
}

async function jobOf(context: Context, place: string): Promise<JobToCompare> {
  const { job, result, rowsFile } = await readResultsFolder(context, place)
  return {
    id: job.id,
    name: place,
    result,
    config: job.config,
    pins: job.pins,
    // Not as a journal: that would set right what was cut, and to compare changes nothing.
    rows: (signal) => readRows(piecesOf(rowsFile, signal)),
  }
}

async function* piecesOf(file: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void, undefined> {
  await using handle = await openRegularFile(file)
  const options = { autoClose: false, ...(signal === undefined ? {} : { signal }) }
  for await (const piece of handle.createReadStream(options)) yield piece as Buffer
}

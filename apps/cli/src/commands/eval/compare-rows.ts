import { formatComparedRows, formatComparedRowsCsv } from "@assay/reports/terminal"
import { type ComparedRowPage, type ComparedRowSort, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"
import { openClient } from "../../open-client.ts"
import { writeBytes } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import { parseFilterOptions } from "./listing/filter-options.ts"

export interface CompareRowsOptions extends JsonOption {
  readonly metric?: string
  readonly task?: string
  readonly sort?: ComparedRowSort
  readonly filter?: readonly string[]
  readonly offset?: number
  readonly limit?: number
  readonly all?: boolean
  readonly csv?: boolean
}

/** Rows of a page if all are wanted. */
const LARGE_PAGE = 1000

/** Runs `assay eval compare <a> <b> --rows`: prints the rows that both jobs have, the most changed first. */
export async function compareRows(
  context: Context,
  jobsOrFolders: readonly string[],
  options: CompareRowsOptions,
): Promise<void> {
  const [a, b] = jobsOrFolders
  if (a === undefined || b === undefined || jobsOrFolders.length > 2) {
    throw new AssayError("bad_usage", `--rows shows two jobs side by side: give two jobs, not ${jobsOrFolders.length}.`)
  }
  const folder = jobsOrFolders.find((one) => isLocal(context, one))
  if (folder !== undefined) {
    throw new AssayError("bad_usage", `'${printable(folder)}' is a folder: --rows reads jobs of a server.`)
  }
  const { metric, task, sort, offset = 0, all = false, csv = false, json = false } = options
  if (metric === undefined) throw new AssayError("bad_usage", "--rows compares one score: name it with --metric.")
  if (csv && json) throw new AssayError("bad_usage", "--csv and --json are two formats: give one of them.")
  if (all && !csv) throw new AssayError("bad_usage", "--all prints every row, as CSV: give --csv as well.")
  const limit = options.limit ?? (all ? LARGE_PAGE : 20)
  const query = { a, b, metric, ...given({ task, sort }), filter: parseFilterOptions(options.filter ?? []), limit }
  const { evaluation } = openClient(context)
  const read = (from: number) => evaluation.compareRows({ ...query, offset: from }, { signal: context.signal })
  if (!csv) return print(context, options, await read(offset), formatComparedRows)
  for (let next: number | null = offset; next !== null;) {
    const page: ComparedRowPage = await read(next)
    await writeBytes(context.stdout, Buffer.from(formatComparedRowsCsv(page, { heading: next === offset })))
    next = all ? page.next_offset : null
  }
}

import { formatScoredRows, formatScoredRowsCsv } from "@assay/reports/terminal/evaluations"
import { AssayError } from "@assay/schemas/errors"
import type { ScoredRowPage } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import { writeBytes } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"
import { parseFilterOptions } from "./filter-options.ts"

export interface ListRowsOptions extends JsonOption {
  readonly task?: string
  readonly sort?: string
  readonly filter?: readonly string[]
  readonly against?: string
  readonly offset?: number
  readonly limit?: number
  readonly all?: boolean
  readonly csv?: boolean
}

/** Rows of a page if all are wanted. */
const LARGE_PAGE = 1000

/** `assay eval rows <job>`: prints rows with their scores, in any order. */
export async function listRows(context: Context, job: string, options: ListRowsOptions): Promise<void> {
  const { task, sort, against, offset = 0, all = false, csv = false, json = false } = options
  if (csv && json) throw new AssayError("bad_usage", "--csv and --json are two formats: give one of them.")
  if (all && !csv) throw new AssayError("bad_usage", "--all prints every row, as CSV: give --csv as well.")
  const limit = options.limit ?? (all ? LARGE_PAGE : 20)
  const filter = parseFilterOptions(options.filter ?? [])
  const { jobs } = openClient(context).evaluation
  const read = (from: number) =>
    jobs.rows(job, { ...given({ task, sort, against }), filter, offset: from, limit }, { signal: context.signal })
  if (!csv) return print(context, options, await read(offset), formatScoredRows)
  for (let next: number | null = offset; next !== null;) {
    const page: ScoredRowPage = await read(next)
    await writeBytes(context.stdout, Buffer.from(formatScoredRowsCsv(page, { heading: next === offset })))
    next = all ? page.next_offset : null
  }
}

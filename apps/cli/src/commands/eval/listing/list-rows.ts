import { formatRowAttempts, formatScoredRows, formatScoredRowsCsv } from "@assay/reports/terminal"
import type { RowAddress } from "@assay/client"
import { AssayError } from "@assay/schemas/errors"
import { printable, type ScoredRowPage } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { openClient } from "../../../open-client.ts"
import { writeBytes } from "../../../output/write-text.ts"
import type { JsonOption } from "../../action.ts"
import { given } from "../../option-values.ts"
import { print } from "../../print.ts"
import { checkServedJob } from "../check-served-job.ts"
import { parseFilterOptions } from "./filter-options.ts"

export interface ListRowsOptions extends JsonOption {
  readonly row?: string
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

/** Parses the address of a row as tables show it, such as `qa/12`. A task may have slashes in its name. @throws `bad_usage` */
function parseRowAddress(text: string): RowAddress {
  const [, task, index] = /^(.+)\/(\d{1,10})$/su.exec(text) ?? []
  if (task === undefined) {
    throw new AssayError("bad_usage", `--row takes a task and a number, such as qa/12, not '${printable(text)}'.`)
  }
  return { task, index: Number(index) }
}

/** Runs `assay eval rows <job>`: prints rows with their scores, in any order, or one row with everything about it. */
export async function listRows(context: Context, job: string, options: ListRowsOptions): Promise<void> {
  const { task, sort, against, offset = 0, all = false, csv = false, json = false } = options
  checkServedJob(context, job, "results/rows.jsonl has the rows of a folder")
  const { jobs } = openClient(context).evaluation
  if (csv && json) throw new AssayError("bad_usage", "--csv and --json are two formats: give one of them.")
  if (all && !csv) throw new AssayError("bad_usage", "--all prints every row, as CSV: give --csv as well.")
  if (options.row !== undefined) {
    if (csv) throw new AssayError("bad_usage", "--row prints one row as text or --json, not as CSV.")
    return print(
      context,
      options,
      await jobs.row(job, parseRowAddress(options.row), { signal: context.signal }),
      formatRowAttempts,
    )
  }
  const limit = options.limit ?? (all ? LARGE_PAGE : 20)
  const filter = parseFilterOptions(options.filter ?? [])
  const read = (from: number) =>
    jobs.rows(job, { ...given({ task, sort, against }), filter, offset: from, limit }, { signal: context.signal })
  if (!csv) return print(context, options, await read(offset), formatScoredRows)
  for (let next: number | null = offset; next !== null;) {
    const page: ScoredRowPage = await read(next)
    await writeBytes(context.stdout, Buffer.from(formatScoredRowsCsv(page, { heading: next === offset })))
    next = all ? page.next_offset : null
  }
}

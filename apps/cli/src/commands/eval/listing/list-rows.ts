import { resolve } from "node:path"
import { formatRowAttempts, formatScoredRows, formatScoredRowsCsv } from "@assay/reports/terminal"
import { filterParameters, type RowAddress } from "@assay/client"
import { AssayError } from "@assay/schemas/errors"
import { printable, type RowAttempts, type ScoredRowPage } from "@assay/schemas"
import type { Context } from "../../../context.ts"
import { isLocal } from "../../../is-folder-name.ts"
import { openClient } from "../../../open-client.ts"
import { writeBytes } from "../../../output/write-text.ts"
import type { JsonOption } from "../../action.ts"
import { given } from "../../option-values.ts"
import { print } from "../../print.ts"
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
  const { all = false, csv = false, json = false, row } = options
  if (csv && json) throw new AssayError("bad_usage", "--csv and --json are two formats: give one of them.")
  if (all && !csv) throw new AssayError("bad_usage", "--all prints every row, as CSV: give --csv as well.")
  if (row !== undefined && csv) throw new AssayError("bad_usage", "--row prints one row as text or --json, not as CSV.")
  await using rows = await openRows(context, job, options)
  if (row !== undefined) return print(context, options, await rows.row(parseRowAddress(row)), formatRowAttempts)
  const { offset = 0 } = options
  if (!csv) return print(context, options, await rows.page(offset), formatScoredRows)
  for (let next: number | null = offset; next !== null;) {
    const page: ScoredRowPage = await rows.page(next)
    await writeBytes(context.stdout, Buffer.from(formatScoredRowsCsv(page, { heading: next === offset })))
    next = all ? page.next_offset : null
  }
}

/** The rows that the options describe, of a server or of a folder. */
interface OpenedRows extends AsyncDisposable {
  page(offset: number): Promise<ScoredRowPage>
  row(address: RowAddress): Promise<RowAttempts>
}

async function openRows(context: Context, job: string, options: ListRowsOptions): Promise<OpenedRows> {
  const { task, sort, against, all = false } = options
  const limit = options.limit ?? (all ? LARGE_PAGE : 20)
  const filter = parseFilterOptions(options.filter ?? [])
  if (against !== undefined && isLocal(context, job) !== isLocal(context, against)) {
    const message = `'${printable(job)}' and '${printable(against)}' are not in the same place: name two jobs of a server, or two folders.`
    throw new AssayError("bad_usage", message)
  }
  const { signal } = context
  if (!isLocal(context, job)) {
    const { jobs } = openClient(context).evaluation
    return {
      page: (offset) => jobs.rows(job, { ...given({ task, sort, against }), filter, offset, limit }, { signal }),
      row: (address) => jobs.row(job, address, { signal }),
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const { runRecord } = await import("@assay/local")
  const folderOf = (name: string) => ({ path: resolve(context.cwd, name), name })
  const opened = await runRecord.openRows(folderOf(job), against === undefined ? undefined : folderOf(against))
  const query = { task, sort: sort ?? "index", parameters: filterParameters(filter), limit, signal }
  return {
    page: (offset) => opened.page({ ...query, offset }),
    row: async (address) =>
      opened.row(address, (await import("../run-here.ts")).localPorts(context, { prices: undefined })),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

import type { ColumnFilter, RowPage } from "@assay/schemas"
import { createNumberFinder } from "@assay/json"
import type { FilePath, Storage } from "@assay/storage"
import type { CsvSettings } from "../formats/csv/csv-dialect.ts"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import { openCuts, type TextFormat } from "../reading/cut-rows.ts"
import { rowsInTurns, type RowSpan } from "../reading/open-rows.ts"
import { checkRowPath } from "../rows/row-format.ts"
import type { Row } from "../rows/row.ts"
import { anyColumns, columnsOfPath, type ColumnTypes } from "../schemas/column-types.ts"
import { filterRows, MAX_SCANNED_ROWS } from "./filter-rows.ts"
import { buildRowIndex, indexKeyOf, markBefore, offsetBehind, type RowIndexStore } from "./row-index.ts"
import { checkShown, collectRows, type RowsPageSchemas } from "./show-rows.ts"

export interface RowsPageOptions {
  /** Index of the first row. Default 0. */
  readonly offset?: number | undefined
  /** Maximum number of rows. A page ends earlier if its rows exceed 4 MiB as JSON. Default 100. */
  readonly limit?: number | undefined
  /** Only rows that satisfy all of these. A page searches at most 50,000 rows and about 32 MiB. */
  readonly filters?: readonly ColumnFilter[] | undefined
  /** Without it, only unreadable rows have issues, and the fields of CSV are text. */
  readonly checkedBy?: RowsPageSchemas | undefined
  /** Keeps the positions of the rows after the first read. Without it, the whole file is read for each page. */
  readonly indexes?: RowIndexStore | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads some rows of a file, each with its issues. The first page of a file version counts the rows. Later pages start
 * at their rows, unless the file is compressed.
 * @throws `not_a_row_file`; `not_found`; `storage_changed`; `schema_too_costly`; what the storage throws; the reason of
 * `signal`
 */
export async function readRowsPage(storage: Storage, path: FilePath, options: RowsPageOptions = {}): Promise<RowPage> {
  const { offset = 0, limit = 100, filters = [], checkedBy, indexes, signal } = options
  const columns = columnsOfPath(checkedBy?.metadata, path)
  const isFiltered = filters.length > 0
  const span = { start: offset, end: offset + (isFiltered ? MAX_SCANNED_ROWS : limit) }
  const page = await openPageRows(storage, path, { span, columns, csv: checkedBy?.metadata.csv, indexes, signal })
  try {
    const found = isFiltered ? filterRows(page.rows, { offset, limit, filters }) : undefined
    const shown = await collectRows(found?.rows ?? page.rows)
    const data =
      checkedBy === undefined ? shown.map(({ row }) => row) : await checkShown(shown, path, checkedBy, signal)
    const next = found === undefined ? offset + data.length : found.end(data.length)
    return {
      data,
      total: page.total,
      next_offset: next < page.total ? next : null,
      ...(isFiltered ? { scanned: next - offset } : {}),
      ...(page.notes === undefined ? {} : { notes: [...page.notes] }),
    }
  } finally {
    await page.close()
  }
}

interface PageRowsOptions {
  readonly span: RowSpan
  readonly columns?: ColumnTypes | undefined
  readonly csv?: CsvSettings | undefined
  readonly indexes?: RowIndexStore | undefined
  readonly signal?: AbortSignal | undefined
}

/** The rows of a part of a file, and the number of rows in the file. */
interface PageRows {
  readonly total: number
  readonly notes?: readonly string[] | undefined
  readonly rows: AsyncGenerator<readonly Row[], void, undefined>
  readonly close: () => Promise<void>
}

/**
 * Counts the rows of a file, from its index if there is one, and starts to read those of `span`. The caller must close
 * it.
 */
export async function openPageRows(storage: Storage, path: FilePath, options: PageRowsOptions): Promise<PageRows> {
  const { encoding, compression } = checkRowPath(path)
  if (encoding !== "parquet") return openTextRows(storage, path, { encoding, compression }, options)
  const parquet = await openParquet(storage, path, options)
  const { start, end } = options.span
  return { total: parquet.total, rows: parquet.read(start, Math.min(end, parquet.total)), close: parquet.close }
}

async function openTextRows(
  storage: Storage,
  path: FilePath,
  format: TextFormat,
  { span, columns = anyColumns, csv, indexes, signal }: PageRowsOptions,
): Promise<PageRows> {
  const stored = await storage.stat(path, { signal })
  const { etag } = stored
  const key = indexKeyOf(stored, csv)
  const known = key === undefined ? undefined : await indexes?.get(key)
  const index = known ?? (await buildRowIndex(storage, stored, format, { csv, signal }))
  if (known === undefined && key !== undefined) await indexes?.set(key, index)
  const from = markBefore(index, span.start)
  const behind = offsetBehind(index, span.end)
  // Without an end, a remote backend sends the rest of the file.
  const end = behind === undefined ? undefined : behind - 1
  const range = from === undefined ? undefined : ({ kind: "from", start: from.offset, end } as const)

  async function* rows(): PageRows["rows"] {
    if (span.start >= index.total) return
    const reading = { typesOf: columns, kept: "text", finder: createNumberFinder() } as const
    for await (const cut of openCuts(storage, path, format, { range, from, etag, csv, signal })) {
      yield* rowsInTurns(cut, reading, span)
      if ("bounds" in cut ? cut.rowIndex + cut.bounds.length / 3 >= span.end : cut.row_index + 1 >= span.end) return
    }
  }
  return { total: index.total, notes: index.notes, rows: rows(), close: async () => {} }
}

import { setImmediate } from "node:timers/promises"
import type { ColumnFilter, DatasetMetadata, RowPage, RowWithIssues } from "@assay/schemas"
import { createNumberFinder } from "@assay/json"
import type { FilePath, Storage } from "@assay/storage"
import type { CsvSettings } from "../formats/csv/csv-dialect.ts"
import { checkRowValues } from "../checking/check-row-values.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import { openCuts, type TextFormat } from "../reading/cut-rows.ts"
import { rowsInTurns, type RowSpan } from "../reading/open-rows.ts"
import { checkRowPath } from "../rows/row-format.ts"
import type { Row } from "../rows/row.ts"
import { anyColumns, columnsOfPath, type ColumnTypes } from "../schemas/column-types.ts"
import { filterRows, MAX_SCANNED_ROWS } from "./filter-rows.ts"
import { buildRowIndex, markBefore, offsetBehind, type RowIndexStore } from "./row-index.ts"

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

/** The metadata whose schema for the path checks each row. */
interface RowsPageSchemas {
  readonly metadata: DatasetMetadata
  /** Where the rows are checked. */
  readonly schemas: SchemaRunner
}

const MAX_CHARACTERS = 4 * 1024 * 1024
/** Characters of JSON that are written in a few milliseconds. */
const CHARACTERS_OF_TURN = 512 * 1024

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
    const data = checkedBy === undefined ? shown.map(({ row }) => row) : await checked(shown, path, checkedBy, signal)
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

async function collectRows(rows: AsyncIterable<readonly Row[]>): Promise<readonly ShownRow[]> {
  const shown: ShownRow[] = []
  let characters = 0
  let turn = CHARACTERS_OF_TURN
  for await (const batch of rows) {
    // A row that fills a whole block took long to read, and takes as long to format.
    if (batch.length === 1) await setImmediate()
    for (const row of batch) {
      const one = showRow(row)
      characters += one.text?.length ?? 0
      if (shown.length > 0 && characters > MAX_CHARACTERS) return shown
      shown.push(one)
      if (characters < turn) continue
      turn = characters + CHARACTERS_OF_TURN
      await setImmediate()
    }
  }
  return shown
}

async function checked(
  shown: readonly ShownRow[],
  path: FilePath,
  { metadata, schemas }: RowsPageSchemas,
  signal: AbortSignal | undefined,
): Promise<RowWithIssues[]> {
  const texts = shown.flatMap(({ text }) => (text === undefined ? [] : [text]))
  const found = await checkRowValues(texts, { metadata, schemas, path, signal })
  let next = 0
  return shown.map(({ row, text }) =>
    text === undefined ? row : { ...row, issues: [...row.issues, ...(found[next++] ?? [])] },
  )
}

/** A row in the form of the page. */
interface ShownRow {
  readonly row: RowWithIssues
  /** The row as JSON; undefined if it can't be read. */
  readonly text: string | undefined
}

/** Converts a row to the form of the page, without checking it against its schema. */
function showRow(given: Row): ShownRow {
  const { row, row_index, line } = given
  if (given.fault !== null) return unreadable(row_index, line, given.fault)
  const text = jsonText(row)
  if (text === undefined) return unreadable(row_index, line, "is nested too deeply to be shown")
  return { row: { row_index, line, row, issues: [...(given.lost ?? [])] }, text }
}

function unreadable(row_index: number, line: number | null, message: string): ShownRow {
  return { row: { row_index, line, row: null, issues: [{ pointer: "", message }] }, text: undefined }
}

/** Returns undefined if `row` is nested too deeply for `JSON.stringify`. */
function jsonText(row: unknown): string | undefined {
  try {
    return JSON.stringify(row)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
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
  // The positions of rows depend on how the file is read.
  const key = `${etag} ${path}${csv === undefined ? "" : ` ${JSON.stringify(csv)}`}`
  const known = etag === null ? undefined : await indexes?.get(key)
  const index = known ?? (await buildRowIndex(storage, stored, format, { csv, signal }))
  if (known === undefined && etag !== null) await indexes?.set(key, index)
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

import { setImmediate } from "node:timers/promises"
import type { DatasetMetadata } from "@assay/schemas"
import { createNumberFinder, type KeptNumbers } from "@assay/json"
import { type FilePath, parseFilePath, type Storage, type StoredFile } from "@assay/storage"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import { rowsIn, type RowBlock } from "../rows/row-block.ts"
import { checkRowPath, rowFormatOf } from "../rows/row-format.ts"
import type { Row } from "../rows/row.ts"
import { columnsOfPath } from "../schemas/column-types.ts"
import type { Cut } from "./cut-blocks.ts"
import { openCuts, type TextForm } from "./cut-rows.ts"
import { visitRows, type VisitOptions } from "./visit-rows.ts"

export interface OpenRowsOptions {
  /** Its schema for the path decides the types of CSV fields. Without one, all fields are text. It also says how CSV is written. */
  readonly metadata?: DatasetMetadata | undefined
  /** Maximum size of a row in bytes. A longer row is unreadable. Default 16 MiB. */
  readonly maxRowBytes?: number | undefined
  /** Whether numbers keep their text, such as 1.50, or only their value. Default: their text. */
  readonly numbers?: KeptNumbers | undefined
  /** Limits of the JSON of a row. Default: 50,000 keys, 200,000 keys and texts, a million values. */
  readonly limits?: VisitOptions["limits"]
  readonly signal?: AbortSignal | undefined
  /** Called before the first row of a text file with its form, and why it is read so. */
  readonly onForm?: ((form: TextForm) => void) | undefined
}

/**
 * Reads the rows of a file in order, in batches of about one mebibyte, in flat memory. The file name decides the
 * format: JSON (an array, or values one after another), JSON lines, CSV or TSV, each also with gzip or zstd, and
 * Parquet. Faults of the content are returned as rows with a `fault`. A caller that stops early must call `return` on
 * the iterator.
 * @throws `not_a_row_file`; while reading: what the storage throws, or the reason of `signal`
 */
export async function* openRows(
  storage: Storage,
  path: FilePath,
  options: OpenRowsOptions = {},
): AsyncGenerator<readonly Row[], void, undefined> {
  const format = checkRowPath(path)
  const { encoding, compression } = format
  if (encoding === "parquet") {
    const { total, read, close } = await openParquet(storage, path, options)
    try {
      yield* read(0, total)
    } finally {
      await close()
    }
    return
  }
  const { numbers: kept = "text", limits } = options
  const reading = { typesOf: columnsOfPath(options.metadata, path), kept, finder: createNumberFinder(), limits }
  for await (const cut of openCuts(
    storage,
    path,
    { encoding, compression },
    { ...options, csv: options.metadata?.csv },
  )) {
    yield* rowsInTurns(cut, reading)
  }
}

/** Number of columns from which a block holds many more fields than bytes of text. */
const WIDE_COLUMNS = 500
const FIELDS_OF_TURN = 40_000

/**
 * Reads the rows of a block that are in `span`. A block of wide CSV has 250,000 fields, so it lets other work run in
 * between.
 */
export async function* rowsInTurns(
  cut: Cut,
  options: VisitOptions,
  span?: RowSpan,
): AsyncGenerator<readonly Row[], void, undefined> {
  const step = rowsOfTurn(cut)
  if (step === undefined) {
    yield rowsOfCut(cut, options, span)
    return
  }
  const start = Math.max(step.start, span?.start ?? 0)
  const end = Math.min(step.end, span?.end ?? Infinity)
  for (let at = start; at < end; at += step.rows) {
    yield rowsOfCut(cut, options, { start: at, end: Math.min(at + step.rows, end) })
    await setImmediate()
  }
}

function rowsOfTurn(cut: Cut): { readonly start: number; readonly end: number; readonly rows: number } | undefined {
  if (!("bounds" in cut) || cut.head.encoding !== "csv") return undefined
  const columns = cut.head.columns?.length ?? 0
  if (columns < WIDE_COLUMNS) return undefined
  return {
    start: cut.rowIndex,
    end: cut.rowIndex + rowsIn(cut),
    rows: Math.max(1, Math.floor(FIELDS_OF_TURN / columns)),
  }
}

export interface RowSpan {
  /** Index of the first row. */
  readonly start: number
  /** Index after the last row. */
  readonly end: number
}

/** Reads the rows of one cut at once: all, or those within `span`. Rows outside it are not parsed. */
export function rowsOfCut(cut: Cut, options: VisitOptions, span?: RowSpan): readonly Row[] {
  if (!("bounds" in cut)) return span === undefined || isWithin(cut.row_index, span) ? [cut] : []
  const rows: Row[] = []
  visitRows(span === undefined ? cut : clip(cut, span), options, (row) => rows.push(row))
  return rows
}

function isWithin(index: number, { start, end }: RowSpan): boolean {
  return index >= start && index < end
}

function clip(block: RowBlock, { start, end }: RowSpan): RowBlock {
  const skipped = Math.min(rowsIn(block), Math.max(0, start - block.rowIndex))
  const bounds = block.bounds.subarray(3 * skipped, 3 * Math.max(skipped, end - block.rowIndex))
  return { ...block, bounds, rowIndex: block.rowIndex + skipped }
}

/**
 * Lists the files of `storage` that hold rows: the file `path`, those below the folder `path`, or all.
 * @throws `not_found` if nothing is there; `not_a_row_file` if `path` is a file of another kind
 */
export async function listRowFiles(
  storage: Storage,
  path: string | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = []
  let isEmpty = true
  for await (const file of storage.list({ prefix: path, signal })) {
    isEmpty = false
    if (file.path === path) checkRowPath(file.path)
    if (rowFormatOf(file.path) !== undefined) files.push(file)
  }
  if (isEmpty && path !== undefined && path !== "") await storage.stat(parseFilePath(path), { signal })
  return files
}

import { createNumberFinder } from "@assay/schemas/numbers"
import type { FilePath, Storage } from "@assay/storage"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import { openCuts, type TextFormat } from "../reading/cut-rows.ts"
import { rowsInTurns, type RowSpan } from "../reading/rows-in-turns.ts"
import { checkRowPath } from "../rows/row-format.ts"
import type { Row } from "../rows/row.ts"
import { anyColumns, type ColumnTypes } from "../schemas/column-types.ts"
import { buildRowIndex, markBefore, offsetBehind, type RowIndexStore } from "./row-index.ts"

export interface PageRowsOptions {
  readonly span: RowSpan
  readonly columns?: ColumnTypes | undefined
  readonly indexes?: RowIndexStore | undefined
  readonly signal?: AbortSignal | undefined
}

/** The rows of a part of a file, and the number of rows in the file. */
export interface PageRows {
  readonly total: number
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
  { span, columns = anyColumns, indexes, signal }: PageRowsOptions,
): Promise<PageRows> {
  const stored = await storage.stat(path, { signal })
  const { etag } = stored
  const key = `${etag} ${path}`
  const known = etag === null ? undefined : await indexes?.get(key)
  const index = known ?? (await buildRowIndex(storage, stored, format, signal))
  if (known === undefined && etag !== null) await indexes?.set(key, index)
  const from = markBefore(index, span.start)
  const behind = offsetBehind(index, span.end)
  // Without an end, a remote backend sends the rest of the file.
  const end = behind === undefined ? undefined : behind - 1
  const range = from === undefined ? undefined : ({ kind: "from", start: from.offset, end } as const)

  async function* rows(): PageRows["rows"] {
    if (span.start >= index.total) return
    const reading = { typesOf: columns, kept: "text", finder: createNumberFinder() } as const
    for await (const cut of openCuts(storage, path, format, { range, from, etag, signal })) {
      yield* rowsInTurns(cut, reading, span)
      if ("bounds" in cut ? cut.rowIndex + cut.bounds.length / 3 >= span.end : cut.row_index + 1 >= span.end) return
    }
  }
  return { total: index.total, rows: rows(), close: async () => {} }
}

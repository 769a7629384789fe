import type { FilePath, Storage } from "@assay/storage"
import type { OpenRowsOptions, RowSpan } from "../reading/open-rows.ts"
import type { Row } from "../rows/row.ts"
import { columnsOfPath } from "../schemas/column-types.ts"
import { openPageRows } from "./read-rows-page.ts"
import type { RowIndexStore } from "./row-index.ts"

export interface RowRangeOptions extends Pick<OpenRowsOptions, "metadata" | "signal"> {
  /** Keeps the positions of the rows after the first read. Without it, the whole file is read for each range. */
  readonly indexes?: RowIndexStore | undefined
}

/** A part of the rows of a file. */
export interface RowRange {
  /** Rows of the whole file. */
  readonly total: number
  readonly rows: AsyncGenerator<readonly Row[], void, undefined>
  /** Called when no more rows are read. */
  readonly close: () => Promise<void>
}

/**
 * Reads a range of the rows of a file, as `openRows` reads all of them. Only the blocks of the file that contain the range are
 * read, unless it is compressed as a whole.
 * @throws as `openRows`
 */
export async function openRowRange(
  storage: Storage,
  path: FilePath,
  span: RowSpan,
  { metadata, indexes, signal }: RowRangeOptions = {},
): Promise<RowRange> {
  return openPageRows(storage, path, {
    span,
    columns: columnsOfPath(metadata, path),
    csv: metadata?.csv,
    indexes,
    signal,
  })
}

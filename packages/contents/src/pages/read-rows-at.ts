import type { RowWithIssues } from "@assay/schemas"
import type { FilePath, Storage } from "@assay/storage"
import { checkRowPath } from "../rows/row-format.ts"
import { openParquet } from "../formats/parquet/open-parquet.ts"
import type { Row } from "../rows/row.ts"
import { columnsOfPath } from "../schemas/column-types.ts"
import { openPageRows, type RowsPageOptions } from "./read-rows-page.ts"
import { checkShown, collectRows } from "./show-rows.ts"

/** Rows between two wanted ones that are read rather than sought. */
const READ_THROUGH = 1000

/**
 * Reads rows of a file by their ascending indexes, each with its issues. It ends before rows that exceed 4 MiB as JSON. Only the parts of
 * the file with these rows are read, unless it is compressed as a whole.
 */
export async function readRowsAt(
  storage: Storage,
  path: FilePath,
  indexes: readonly number[],
  { checkedBy, indexes: store, signal }: Pick<RowsPageOptions, "checkedBy" | "indexes" | "signal">,
): Promise<RowWithIssues[]> {
  const { encoding, compression } = checkRowPath(path)
  const columns = columnsOfPath(checkedBy?.metadata, path)
  const spans = spansOf(indexes, compression === null ? READ_THROUGH : Number.POSITIVE_INFINITY)
  const wanted = new Set(indexes)

  async function* rows(): AsyncGenerator<readonly Row[], void, undefined> {
    if (encoding === "parquet") {
      const { read, close } = await openParquet(storage, path, { signal })
      try {
        for (const { start, end } of spans) for await (const batch of read(start, end)) yield batch.filter(isWanted)
      } finally {
        await close()
      }
      return
    }
    for (const span of spans) {
      const part = await openPageRows(storage, path, {
        span,
        columns,
        csv: checkedBy?.metadata.csv,
        indexes: store,
        signal,
      })
      try {
        for await (const batch of part.rows) yield batch.filter(isWanted)
      } finally {
        await part.close()
      }
    }
  }
  const isWanted = ({ row_index }: Row) => wanted.has(row_index)
  const shown = await collectRows(rows())
  return checkedBy === undefined ? shown.map(({ row }) => row) : checkShown(shown, path, checkedBy, signal)
}

/** Returns the spans to read, so that rows that are near each other are in one. */
function spansOf(
  indexes: readonly number[],
  near: number,
): readonly { readonly start: number; readonly end: number }[] {
  const spans: { start: number; end: number }[] = []
  for (const index of indexes) {
    const last = spans.at(-1)
    if (last !== undefined && index - last.end < near) last.end = index + 1
    else spans.push({ start: index, end: index + 1 })
  }
  return spans
}

import type { StoredFile, Storage } from "@assay/storage"
import { openCuts, type TextFormat } from "../reading/open-cuts.ts"
import { rowsIn, type RowBlock } from "../rows/row-block.ts"
import type { RowIndex } from "./row-index.ts"

/** Rows between two marks at first; twice as many each time that there are too many marks. */
const FIRST_STRIDE = 256
const MAX_MARKS = 8192

/**
 * Counts the rows of a file, and marks some of them on the way. Rows are found, not parsed. What is compressed has no
 * marks: it can be read from its beginning only.
 */
export async function buildRowIndex(
  storage: Storage,
  { path, etag }: StoredFile,
  format: TextFormat,
  signal: AbortSignal | undefined,
): Promise<RowIndex> {
  let marks: number[] = []
  let stride = FIRST_STRIDE
  let next = 0
  let head: RowIndex["head"] = null
  let total = 0

  function mark(block: RowBlock): void {
    for (next = Math.max(next, block.rowIndex); next < block.rowIndex + rowsIn(block); next += stride) {
      const at = 3 * (next - block.rowIndex)
      marks.push(next, block.line + (block.bounds[at + 2] ?? 0), block.offset + (block.bounds[at] ?? 0))
    }
    if (marks.length <= 3 * MAX_MARKS) return
    marks = marks.filter((_, index) => Math.floor(index / 3) % 2 === 0)
    stride *= 2
  }

  for await (const cut of openCuts(storage, path, format, { etag, signal })) {
    const isBlock = "bounds" in cut
    total = isBlock ? cut.rowIndex + rowsIn(cut) : cut.row_index + 1
    if (!isBlock) continue
    head = cut.head
    if (format.compression === null) mark(cut)
  }
  return { total, head, marks }
}

import { rowFormatOf, type Row } from "@assay/contents"
import { AssayError } from "@assay/schemas"
import type { OpenedSplit, ViewedDataset } from "./open-split.ts"

/** A row as the viewer shows it. */
export interface ViewedRow {
  /** Index of the row within its split. */
  readonly row_idx: number
  /** Null if the row can't be read. */
  readonly row: unknown
  readonly truncated_cells: readonly string[]
}

/** Maximum size of the rows of an answer, in characters of JSON. */
const MAX_CHARACTERS = 32 * 1024 * 1024

/** Returns a function that counts the characters of rows. It throws `too_large` above the limit. */
export function createSizeCheck(): (row: unknown) => void {
  let characters = 0
  return (row) => {
    characters += JSON.stringify(row)?.length ?? 0
    if (characters <= MAX_CHARACTERS) return
    throw new AssayError(
      "too_large",
      `The rows have more than ${MAX_CHARACTERS} characters; ask for fewer with \`length\`.`,
    )
  }
}

export function viewedRow(row_idx: number, { row }: Pick<Row, "row">): ViewedRow {
  return { row_idx, row, truncated_cells: [] }
}

/** Returns the number of rows of each file of a split. */
export async function countFiles(
  { fileset, reader, signal }: ViewedDataset,
  { files }: Pick<OpenedSplit, "files">,
): Promise<readonly number[]> {
  const counts: number[] = []
  for (const file of files) counts.push(await reader.files.count(fileset, file, signal))
  return counts
}

/** Reads the rows of a split from `offset` on. `counts` are the numbers of rows of its files. */
export async function readSplit(
  { fileset, reader, signal }: ViewedDataset,
  { files, metadata }: OpenedSplit,
  { counts, offset, length }: { readonly counts: readonly number[]; readonly offset: number; readonly length: number },
): Promise<readonly ViewedRow[]> {
  const found: ViewedRow[] = []
  const check = createSizeCheck()
  let before = 0
  for (const [index, file] of files.entries()) {
    const count = counts[index] ?? 0
    const span = { start: Math.max(0, offset - before), end: Math.min(count, offset + length - before) }
    if (span.start < span.end) {
      const first = before
      const visit = (row: Row) => {
        check(row.row)
        found.push(viewedRow(first + row.row_index, row))
      }
      await reader.files.range(fileset, file.path, { span, metadata, signal, visit })
    }
    before += count
    if (before >= offset + length) break
  }
  return found
}

/** Rows between two rows that are read together, because that costs less than to open the file again. */
const MAX_GAP = 100

/** Reads the rows with some indexes, in the order of the indexes. */
export async function readRowsAt(
  { fileset, reader, signal }: ViewedDataset,
  { files, metadata }: OpenedSplit,
  { counts, indexes }: { readonly counts: readonly number[]; readonly indexes: readonly number[] },
): Promise<readonly ViewedRow[]> {
  const wanted = new Set(indexes)
  const sorted = indexes.toSorted((a, b) => a - b)
  const found = new Map<number, ViewedRow>()
  const check = createSizeCheck()
  let before = 0
  for (const [index, file] of files.entries()) {
    const [first, end] = [before, before + (counts[index] ?? 0)]
    const within = sorted.filter((at) => at >= first && at < end).map((at) => at - first)
    const visit = (row: Row) => {
      const at = first + row.row_index
      if (!wanted.has(at)) return
      check(row.row)
      found.set(at, viewedRow(at, row))
    }
    for (const span of spansOf(within, isSeekable(file.path) ? MAX_GAP : Infinity))
      await reader.files.range(fileset, file.path, { span, metadata, signal, visit })
    before = end
  }
  return indexes.flatMap((at) => found.get(at) ?? [])
}

/** Parquet is decoded by another process, and compressed files are read from the start. */
function isSeekable(path: string): boolean {
  const format = rowFormatOf(path)
  return format !== undefined && format.encoding !== "parquet" && format.compression === null
}

/** Joins sorted positions to spans, with gaps of at most `gap` rows within each. */
function spansOf(
  positions: readonly number[],
  gap: number,
): readonly { readonly start: number; readonly end: number }[] {
  const spans: { start: number; end: number }[] = []
  for (const at of positions) {
    const last = spans.at(-1)
    if (last !== undefined && at - last.end <= gap) last.end = at + 1
    else spans.push({ start: at, end: at + 1 })
  }
  return spans
}

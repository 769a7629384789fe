import type { StoredFile, Storage } from "@assay/storage"
import { LRUCache } from "lru-cache"
import type { CsvSettings } from "../formats/csv/csv-dialect.ts"
import type { Cut } from "../reading/cut-blocks.ts"
import { openCuts, type TextForm, type TextFormat } from "../reading/cut-rows.ts"
import { createPositions, rowsIn, type RowHead, type RowMark, type RowBlock } from "../rows/row-block.ts"

/**
 * The positions of some rows in one version of a file, so that a page need not be read from the beginning. Plain data.
 */
export interface RowIndex {
  /** Rows of the file. */
  readonly total: number
  /** Null if no row of the file could be read. */
  readonly head: RowHead | null
  /** Differences from the usual form of a file with this name, and the reasons for them. Absent if nothing does. */
  readonly notes?: readonly string[]
  /** Row index, line and byte offset of some rows: three numbers each, in order. */
  readonly marks: readonly number[]
}

/** Stores indexes under keys made of the path and the version of a file. Use one store per fileset. */
export interface RowIndexStore {
  readonly get: (key: string) => Promise<RowIndex | undefined>
  readonly set: (key: string, index: RowIndex) => Promise<void>
}

/** Returns the last mark at or before row `rowIndex`, or undefined if reading must start at the beginning. */
export function markBefore({ head, marks }: RowIndex, rowIndex: number): RowMark | undefined {
  const at = marksUpTo(marks, rowIndex) - 1
  if (at < 0 || head === null) return undefined
  return { head, rowIndex: marks[3 * at] ?? 0, line: marks[3 * at + 1] ?? 1, offset: marks[3 * at + 2] ?? 0 }
}

/** Returns the byte offset of the first mark at or after row `rowIndex`, or undefined if there is none. */
export function offsetBehind({ marks }: RowIndex, rowIndex: number): number | undefined {
  return marks[3 * marksUpTo(marks, rowIndex - 1) + 2]
}

/** Returns how many marks are at rows up to `rowIndex`. */
function marksUpTo(marks: readonly number[], rowIndex: number): number {
  let low = 0
  let high = marks.length / 3
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((marks[3 * middle] ?? 0) <= rowIndex) low = middle + 1
    else high = middle
  }
  return low
}

/** Initial number of rows between two marks. It doubles each time that there are too many marks. */
const FIRST_STRIDE = 256
const MAX_MARKS = 8192

/** Makes the index of a file while its rows are read for something else. */
export interface RowIndexer {
  readonly onForm: (form: TextForm) => void
  /** Counts the rows of a cut and marks some of them. Call it in order, before the bytes of a block are given away. */
  readonly add: (cut: Cut) => void
  /** Returns the index after the last cut. */
  readonly result: () => RowIndex
}

/** Creates an indexer. Compressed files get no marks, because they can only be read from the beginning. */
export function createRowIndexer({ compression }: TextFormat): RowIndexer {
  let marks: number[] = []
  let stride = FIRST_STRIDE
  let next = 0
  let head: RowIndex["head"] = null
  let total = 0
  let notes: readonly string[] = []

  function mark(block: RowBlock): void {
    const positionOf = createPositions(block)
    for (next = Math.max(next, block.rowIndex); next < block.rowIndex + rowsIn(block); next += stride) {
      const at = 3 * (next - block.rowIndex)
      marks.push(next, block.line + (block.bounds[at + 2] ?? 0), positionOf(block.bounds[at] ?? 0))
    }
    if (marks.length <= 3 * MAX_MARKS) return
    marks = marks.filter((_, index) => Math.floor(index / 3) % 2 === 0)
    stride *= 2
  }

  return {
    onForm: (form) => (notes = form.notes),
    add(cut) {
      const isBlock = "bounds" in cut
      total = isBlock ? cut.rowIndex + rowsIn(cut) : cut.row_index + 1
      if (!isBlock) return
      head = cut.head
      if (compression === null) mark(cut)
    },
    result: () => ({ total, head, marks, ...(notes.length === 0 ? {} : { notes }) }),
  }
}

/** Counts the rows of a file and marks some of them. Rows are found without parsing. */
export async function buildRowIndex(
  storage: Storage,
  { path, etag }: StoredFile,
  format: TextFormat,
  { csv, signal }: { readonly csv: CsvSettings | undefined; readonly signal: AbortSignal | undefined },
): Promise<RowIndex> {
  const { add, result, onForm } = createRowIndexer(format)
  for await (const cut of openCuts(storage, path, format, { etag, csv, signal, onForm })) add(cut)
  return result()
}

/** Returns the key of the index of a file; undefined if its version is not known. The positions of rows depend on how the file is read. */
export function indexKeyOf({ path, etag }: StoredFile, csv: CsvSettings | undefined): string | undefined {
  return etag === null ? undefined : `${etag} ${path}${csv === undefined ? "" : ` ${JSON.stringify(csv)}`}`
}

/** Creates a store in memory that keeps the `limit` most recently used indexes. Default 100, each up to 200 kB. */
export function createMemoryRowIndexStore({ limit = 100 }: { readonly limit?: number } = {}): RowIndexStore {
  const kept = new LRUCache<string, RowIndex>({ max: limit })
  return {
    get: async (key) => kept.get(key),
    set: async (key, index) => void kept.set(key, index),
  }
}

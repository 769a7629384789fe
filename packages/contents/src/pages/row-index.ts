import type { RowHead, RowMark } from "../rows/row-head.ts"

/** Where the rows of one version of a file stand, so that a page need not read from the beginning. Plain data. */
export interface RowIndex {
  /** Rows of the file. */
  readonly total: number
  /** Null where nothing in the file could be read. */
  readonly head: RowHead | null
  /** Row index, line and byte of some rows, three numbers each, in order. */
  readonly marks: readonly number[]
}

/** Keeps indexes, by a key that holds the path and version of the file. Whoever keeps it has one for each fileset. */
export interface RowIndexStore {
  readonly get: (key: string) => Promise<RowIndex | undefined>
  readonly set: (key: string, index: RowIndex) => Promise<void>
}

/** The last mark at or before the row `rowIndex`; undefined where reading has to begin at the beginning. */
export function markBefore({ head, marks }: RowIndex, rowIndex: number): RowMark | undefined {
  const at = marksUpTo(marks, rowIndex) - 1
  if (at < 0 || head === null) return undefined
  return { head, rowIndex: marks[3 * at] ?? 0, line: marks[3 * at + 1] ?? 1, offset: marks[3 * at + 2] ?? 0 }
}

/** The byte of the first mark at or behind the row `rowIndex`; undefined where there is none. */
export function offsetBehind({ marks }: RowIndex, rowIndex: number): number | undefined {
  return marks[3 * marksUpTo(marks, rowIndex - 1) + 2]
}

/** How many marks are of rows up to `rowIndex`. */
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

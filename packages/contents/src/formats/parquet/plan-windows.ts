import type { GroupSize } from "./parquet-messages.ts"

export interface RowWindow {
  readonly start: number
  readonly end: number
}

/** Rows are objects, many times the size of their columns, and dictionaries hide how large. */
const MAX_ROWS = 10_000
const MAX_BYTES = 32 * 1024 * 1024

/** The rows from `start` to before `end` in parts that are read at a time: of one row group, and of bounded size. */
export function* planWindows(groups: readonly GroupSize[], start: number, end: number): Generator<RowWindow> {
  let first = 0
  for (const { rows, bytes } of groups) {
    const bytesOfRow = Math.max(1, bytes / Math.max(1, rows))
    const step = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_BYTES / bytesOfRow)))
    const last = Math.min(first + rows, end)
    for (let at = Math.max(first, start); at < last; at += step) {
      yield { start: at, end: Math.min(at + step, last) }
    }
    first += rows
  }
}

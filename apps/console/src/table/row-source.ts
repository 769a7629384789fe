import { useMemo } from "react"

/** The rows of a table: all of them in memory, or pages that are read when they are shown. */
export interface RowSource<Row> {
  readonly total: number
  /** Returns a row, or undefined if it has not been read yet. */
  readonly get: (index: number) => Row | undefined
  /** Says which rows are visible, `end` not included. */
  readonly show: (start: number, end: number) => void
  /** Reads rows, for copies. */
  readonly read: (start: number, end: number) => Promise<readonly Row[]>
  readonly isLoading: boolean
  readonly error: unknown
}

export interface HeldRowsState {
  /** Default false. */
  readonly isLoading?: boolean
  readonly error?: unknown
}

/** Returns the source of rows that are all in memory. */
export function useHeldRows<Row>(
  rows: readonly Row[],
  { isLoading = false, error }: HeldRowsState = {},
): RowSource<Row> {
  return useMemo(
    () => ({
      total: rows.length,
      get: (index) => rows[index],
      show: () => undefined,
      read: (start, end) => Promise.resolve(rows.slice(start, end)),
      isLoading,
      error,
    }),
    [rows, isLoading, error],
  )
}

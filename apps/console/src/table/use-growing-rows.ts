import { useMemo } from "react"
import type { RowSource } from "./row-source.ts"

/** Rows of which more may follow. */
export interface GrowingRows<Row> extends RowSource<Row> {
  /** Whether these are all rows. */
  readonly isWhole: boolean
}

export interface GrowingRowsState {
  readonly isWhole: boolean
  readonly error: unknown
  /** Reads more rows. Undefined while that is not possible. */
  readonly more: (() => unknown) | undefined
}

/** Returns the source of rows that are read from the first to the last. Further ones are read when the last known one is shown. */
export function useGrowingRows<Row>(rows: readonly Row[], state: GrowingRowsState): GrowingRows<Row> {
  const { isWhole, error, more } = state
  return useMemo(
    () => ({
      total: rows.length,
      get: (index) => rows[index],
      show: (_start, end) => {
        if (!isWhole && error === undefined && end >= rows.length) more?.()
      },
      read: (start, end) => Promise.resolve(rows.slice(start, end)),
      // Without a row, it is not known yet whether there is one.
      isLoading: rows.length === 0 && !isWhole && error === undefined,
      error,
      isWhole,
    }),
    [rows, isWhole, error, more],
  )
}

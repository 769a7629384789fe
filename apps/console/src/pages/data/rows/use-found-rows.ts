import type { RowPage, RowWithIssues } from "@assay/schemas"
import { useInfiniteQuery, type QueryKey } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useState } from "react"
import type { RowSource } from "../../../table/row-source.ts"

export interface SearchedRows {
  /** Names the subject of the search: the file and the filters. */
  readonly queryKey: QueryKey
  readonly fetchPage: (offset: number, limit: number, signal: AbortSignal) => Promise<RowPage>
  /** Without filters, nothing is searched. */
  readonly isOn: boolean
}

/** The rows that match, as far as they were searched for. */
export interface FoundRows {
  readonly rows: RowSource<RowWithIssues>
  /** Number of rows that were searched. */
  readonly searched: number
  /** Number of rows of the file. */
  readonly total: number
  readonly isSearching: boolean
}

const PAGE_ROWS = 200
/** More rows that match are not kept. A further filter finds fewer. */
const MAX_FOUND = 20_000

/** Searches a file page by page until the visible part of the table is full, and goes on when further rows become visible. */
export function useFoundRows({ queryKey, fetchPage, isOn }: SearchedRows): FoundRows {
  const [wanted, setWanted] = useState(0)
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [...queryKey, "found"],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, PAGE_ROWS, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset: next }) => next,
    enabled: isOn,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const found = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  const isDue = hasNextPage && error === null && found.length < Math.min(wanted + PAGE_ROWS, MAX_FOUND)
  useEffect(() => {
    if (isOn && isDue && !isFetching) void fetchNextPage()
  }, [isOn, isDue, isFetching, fetchNextPage])
  const show = useCallback((_start: number, end: number) => setWanted(end), [])
  const last = data?.pages.at(-1)
  return {
    rows: {
      total: found.length,
      get: (index) => found[index],
      show,
      read: (start, end) => Promise.resolve(found.slice(start, end)),
      isLoading: found.length === 0 && error === null && (data === undefined || hasNextPage),
      error: error ?? undefined,
    },
    searched: last?.next_offset ?? last?.total ?? 0,
    total: last?.total ?? 0,
    isSearching: isFetching || isDue,
  }
}

import { useQueries, useQueryClient, type QueryKey } from "@tanstack/react-query"
import { useCallback, useRef, useState } from "react"
import type { RowSource } from "./row-source.ts"

export interface RowsPage<Row> {
  readonly rows: readonly Row[]
  /** Number of rows of all pages. */
  readonly total: number
}

export interface PagedRows<Row> {
  /** Names what the pages are of: everything that changes their rows. */
  readonly queryKey: QueryKey
  readonly fetchPage: (offset: number, limit: number, signal: AbortSignal | undefined) => Promise<RowsPage<Row>>
  /** Default 100. */
  readonly pageSize?: number
}

/** Milliseconds that a hidden page is kept. A scroll over a million rows passes thousands of pages. */
const KEPT_MS = 5000

/** Returns the source of rows that are read page by page, as they become visible. */
export function usePagedRows<Row>(paged: PagedRows<Row>): RowSource<Row> {
  const { queryKey, fetchPage, pageSize = 100 } = paged
  const queries = useQueryClient()
  const [[first, last], setPages] = useState<readonly [number, number]>([0, 0])
  const pageQuery = (page: number) => ({
    queryKey: [...queryKey, "page", pageSize, page],
    queryFn: ({ signal }: { signal?: AbortSignal }) => fetchPage(page * pageSize, pageSize, signal),
    gcTime: KEPT_MS,
  })
  const answers = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, step) => pageQuery(first + step)),
  })
  const newest = answers.find(({ data }) => data !== undefined)?.data
  const identity = JSON.stringify(queryKey)
  // While further pages are on their way, the number of rows is the one that was known last.
  const known = useRef({ identity, total: 0 })
  if (newest !== undefined) known.current = { identity, total: newest.total }
  const total = known.current.identity === identity ? known.current.total : 0

  const show = useCallback(
    (start: number, end: number) => {
      const pages = [Math.floor(start / pageSize), Math.floor(Math.max(start, end - 1) / pageSize)] as const
      setPages((before) => (before[0] === pages[0] && before[1] === pages[1] ? before : pages))
    },
    [pageSize],
  )
  const data = answers.map((answer) => answer.data)
  const error = answers.find((answer) => answer.error !== null)?.error ?? undefined
  const isLoading = newest === undefined && error === undefined
  return {
    total,
    isLoading,
    error,
    show,
    get: (index) => data[Math.floor(index / pageSize) - first]?.rows[index % pageSize],
    read: async (start, end) => {
      const rows: Row[] = []
      for (let page = Math.floor(start / pageSize); page * pageSize < end; page += 1) {
        const part = await queries.fetchQuery(pageQuery(page))
        rows.push(...part.rows)
      }
      const skipped = start % pageSize
      return rows.slice(skipped, skipped + end - start)
    },
  }
}

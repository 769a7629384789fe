import type { Client, RowFilters } from "@assay/client"
import type { RowSearchPage, RowWithIssues } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useClient } from "../../../api/use-client.ts"
import type { RowSource } from "../../../table/row-source.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"

/** The file whose rows are shown. */
export interface FileOfRows {
  readonly workspace: string
  readonly name: string
  /** Undefined while no file with rows is known. */
  readonly path: string | undefined
}

/** The rows that are searched for: those that match the filters, those with issues, or both. */
export interface RowQuestion {
  readonly filter?: RowFilters
  readonly invalid?: boolean
  /** Only rows with this kind of issue: its pointer and its message. */
  readonly issue?: string
}

/** How far a search is. */
export type SearchState = Omit<RowSearchPage, "data" | "offset" | "next_offset">

/** Milliseconds between two looks at a search that goes on. Each answer waits for up to 1.5 seconds. */
const LOOK_MS = 500
const PAGE_ROWS = 100

type Searching = Pick<Client, "rows">

async function searchPage(
  { rows }: Searching,
  { workspace, name, path }: FileOfRows,
  query: RowQuestion & object,
  signal?: AbortSignal,
) {
  return rows.search(workspace, name, { ...query, path: path ?? "" }, { signal })
}

/** Returns how many rows of a file a question finds, while the server searches them. Undefined until there is an answer. */
export function useSearchState(
  file: FileOfRows,
  question: RowQuestion,
  isOn: boolean,
): { readonly state: SearchState | undefined; readonly error: Error | null } {
  const client = useClient()
  const { data, error } = useQuery({
    queryKey: ["rows", file.workspace, file.name, file.path, "search", question, "state"],
    queryFn: ({ signal }) => searchPage(client, file, { ...question, limit: 0 } as RowQuestion, signal),
    enabled: isOn && file.path !== undefined,
    refetchInterval: ({ state }) => (state.data !== undefined && !state.data.is_complete ? LOOK_MS : false),
    retry: false,
  })
  return { state: data, error }
}

/** The rows that a question finds, and how far the search is. */
export interface SearchedRows {
  readonly rows: RowSource<RowWithIssues>
  readonly state: SearchState | undefined
}

/** Returns the rows of a file that a question finds. Their number grows until all rows were searched. */
export function useSearchedRows(file: FileOfRows, question: RowQuestion, isOn: boolean): SearchedRows {
  const client = useClient()
  const queries = useQueryClient()
  const { state, error } = useSearchState(file, question, isOn)
  const key = ["rows", file.workspace, file.name, file.path, "search", question]
  const rows = usePagedRows<RowWithIssues>({
    queryKey: key,
    pageSize: PAGE_ROWS,
    fetchPage: async (offset, limit, signal) => {
      if (!isOn || file.path === undefined) return { rows: [], total: 0 }
      const page = await searchPage(client, file, { ...question, offset, limit } as RowQuestion, signal)
      return { rows: page.data, total: page.matched }
    },
  })
  // Pages that were not full are read again when more was found.
  const first = Math.min(state?.matched ?? 0, PAGE_ROWS)
  const isComplete = state?.is_complete
  const identity = JSON.stringify(key)
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: [...(JSON.parse(identity) as unknown[]), "page"] })
  }, [queries, identity, first, isComplete])
  return {
    rows: {
      ...rows,
      total: Math.max(rows.total, state?.matched ?? 0),
      isLoading: rows.total === 0 && error === null && rows.error === undefined && isComplete !== true,
      error: rows.error ?? error ?? undefined,
    },
    state,
  }
}

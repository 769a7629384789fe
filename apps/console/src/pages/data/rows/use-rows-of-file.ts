import type { RowProfile, RowWithIssues } from "@assay/schemas"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useClient } from "../../../api/use-client.ts"
import type { RowSource } from "../../../table/row-source.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { useSearchedRows, type RowQuestion, type SearchState, type FileOfRows } from "./use-searched-rows.ts"

export interface RowsOfFile {
  /** All rows, or those that the question finds. */
  readonly rows: RowSource<RowWithIssues>
  /** How far the search is. Undefined if all rows are shown, and until there is an answer. */
  readonly search: SearchState | undefined
  readonly profile: UseQueryResult<RowProfile>
}

const NOTHING: RowQuestion = {}

/** Returns the rows of a file, or those that a question finds, and the profile of its columns. */
export function useRowsOfFile(file: FileOfRows, question: RowQuestion | undefined): RowsOfFile {
  const { workspace, name, path } = file
  const client = useClient()
  const all = usePagedRows<RowWithIssues>({
    queryKey: ["rows", workspace, name, path],
    fetchPage: async (offset, limit, signal) => {
      if (path === undefined) return { rows: [], total: 0 }
      const page = await client.rows.page(workspace, name, { path, offset, limit }, { signal: signal ?? undefined })
      return { rows: page.data, total: page.total }
    },
  })
  const searched = useSearchedRows(file, question ?? NOTHING, question !== undefined)
  const profile = useQuery({
    queryKey: ["profile", workspace, name, path],
    queryFn: ({ signal }) => client.rows.profile(workspace, name, path === undefined ? {} : { path }, { signal }),
    // A search has the rows that the user waits for: what all rows have in their columns comes after it.
    enabled: path !== undefined && (question === undefined || searched.state?.is_complete === true),
    staleTime: 60_000,
    retry: false,
  })
  return question === undefined
    ? { rows: all, search: undefined, profile }
    : { rows: searched.rows, search: searched.state, profile }
}

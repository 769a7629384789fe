import type { RowFilters } from "@assay/client"
import type { RowProfile, RowWithIssues } from "@assay/schemas"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useClient } from "../../../api/use-client.ts"
import type { RowSource } from "../../../table/row-source.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { useFoundRows, type FoundRows } from "./use-found-rows.ts"

/** The file whose rows are shown. */
export interface FileOfRows {
  readonly workspace: string
  readonly name: string
  /** Undefined while no file with rows is known. */
  readonly path: string | undefined
}

export interface RowsOfFile {
  /** All rows, or those that match the filters. */
  readonly rows: RowSource<RowWithIssues>
  /** The rows that match, as far as they were searched for. Undefined without filters. */
  readonly found: FoundRows | undefined
  readonly profile: UseQueryResult<RowProfile>
}

/** Returns the rows of a file, or those that match `filter`, and the profile of its columns. */
export function useRowsOfFile({ workspace, name, path }: FileOfRows, filter: RowFilters | undefined): RowsOfFile {
  const client = useClient()
  const all = usePagedRows<RowWithIssues>({
    queryKey: ["rows", workspace, name, path],
    fetchPage: async (offset, limit, signal) => {
      if (path === undefined) return { rows: [], total: 0 }
      const page = await client.rows.page(workspace, name, { path, offset, limit }, { signal: signal ?? undefined })
      return { rows: page.data, total: page.total }
    },
  })
  const found = useFoundRows({
    queryKey: ["rows", workspace, name, path, filter],
    isOn: filter !== undefined && path !== undefined,
    fetchPage: (offset, limit, signal) => {
      const query = { path: path ?? "", offset, limit, ...(filter === undefined ? {} : { filter }) }
      return client.rows.page(workspace, name, query, { signal })
    },
  })
  const profile = useQuery({
    queryKey: ["profile", workspace, name, path],
    queryFn: ({ signal }) => client.rows.profile(workspace, name, path === undefined ? {} : { path }, { signal }),
    enabled: path !== undefined,
    staleTime: 60_000,
    retry: false,
  })
  return filter === undefined ? { rows: all, found: undefined, profile } : { rows: found.rows, found, profile }
}

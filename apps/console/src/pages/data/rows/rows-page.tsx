import { formatCount, formatInteger } from "@assay/reports"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import type { ReactElement } from "react"
import type { RowWithIssues } from "@assay/schemas"
import { useClient } from "../../../api/use-client.ts"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { usePagedRows } from "../../../table/use-paged-rows.ts"
import { JumpBox } from "./jump-box.tsx"
import { rowColumns } from "./row-columns.tsx"
import { RowDetail } from "./row-detail.tsx"
import { RowFilterField } from "./row-filters.tsx"
import { useRowFiles } from "./use-row-files.ts"
import { useFoundRows, type FoundRows } from "./use-found-rows.ts"
import { useRowFilters } from "./use-row-filters.ts"
import "./rows.css"

/** Shows the rows of one file as a table, with the issues of its schema on the cells. */
export function RowsPage(): ReactElement {
  const client = useClient()
  const { workspace = "", name = "" } = useParams({ strict: false })
  const [search, update] = useTableSearch()
  const navigate = useNavigate()
  const [given] = useSearchValue("path")
  const [wrap, setWrap] = useSearchValue("wrap")
  const [view, setView] = useSearchValue("view")
  const files = useRowFiles(workspace, name, given)
  const paths = files.data ?? []
  const path = given ?? paths[0]
  const filters = useRowFilters()
  const isFiltered = filters.filter !== undefined
  const all = usePagedRows<RowWithIssues>({
    queryKey: ["rows", workspace, name, path],
    fetchPage: async (offset, limit, signal) => {
      if (path === undefined) return { rows: [], total: 0 }
      const page = await client.rows.page(workspace, name, { path, offset, limit }, { signal: signal ?? undefined })
      return { rows: page.data, total: page.total }
    },
  })
  const found = useFoundRows({
    queryKey: ["rows", workspace, name, path, filters.filter],
    isOn: isFiltered && path !== undefined,
    fetchPage: (offset, limit, signal) => {
      const query = {
        path: path ?? "",
        offset,
        limit,
        ...(filters.filter === undefined ? {} : { filter: filters.filter }),
      }
      return client.rows.page(workspace, name, query, { signal })
    },
  })
  const rows = isFiltered ? found.rows : all
  const profile = useQuery({
    queryKey: ["profile", workspace, name, path],
    queryFn: ({ signal }) => client.rows.profile(workspace, name, path === undefined ? {} : { path }, { signal }),
    enabled: path !== undefined,
    staleTime: 60_000,
    retry: false,
  })
  const columns = rowColumns({
    profile: profile.data,
    first: rows.get(0)?.row,
    isJson: view === "json",
    onFilter: filters.add,
  })
  const chosen = search.at === undefined ? undefined : rows.get(search.at)
  return (
    <>
      <PageHeader
        title={path ?? "Rows"}
        above={
          <>
            <Link to="/filesets">Filesets</Link> /{" "}
            <Link to="/filesets/$workspace/$name" params={{ workspace, name }}>
              {workspace}/{name}
            </Link>
          </>
        }
      >
        {profile.isFetching ? "Reading all rows for the columns …" : null}
      </PageHeader>
      {files.error === null ? null : <ErrorCard error={files.error} again={() => void files.refetch()} />}
      {profile.error === null ? null : <ErrorCard error={profile.error} again={() => void profile.refetch()} />}
      <div className={chosen === undefined ? "rows-page" : "rows-page beside"}>
        <DataTable
          label="Rows"
          columns={columns}
          rows={rows}
          isGrowing={isFiltered && found.searched < found.total}
          search={search}
          onSearch={update}
          onOpen={(_row, index) => update({ at: index })}
          keys={{ Escape: () => update({ at: undefined }) }}
          rowHeight={wrap === "on" ? 84 : 36}
          belowHeight={view === "json" || profile.data === undefined ? 0 : 40}
          rowClass={({ issues }) => (issues.length > 0 ? "faulty" : undefined)}
          filter={
            <>
              {paths.length > 1 ? (
                <select
                  aria-label="File"
                  value={path}
                  onChange={({ target }) => {
                    const path = target.value
                    // A row of another file means nothing here.
                    void navigate({ to: ".", search: (before: object) => ({ ...before, path, at: undefined }) })
                  }}
                >
                  {paths.map((one) => (
                    <option key={one} value={one}>
                      {one}
                    </option>
                  ))}
                </select>
              ) : null}
              {isFiltered ? null : <JumpBox total={rows.total} onJump={(at) => update({ at })} />}
              <RowFilterField {...filters} />
              {isFiltered ? <SearchProgress {...found} /> : null}
              <label className="choice">
                <input
                  type="checkbox"
                  checked={wrap === "on"}
                  onChange={({ target }) => setWrap(target.checked ? "on" : undefined)}
                />
                Wrap
              </label>
              <label className="choice">
                <input
                  type="checkbox"
                  checked={view === "json"}
                  onChange={({ target }) => setView(target.checked ? "json" : undefined)}
                />
                JSON
              </label>
            </>
          }
          // Nothing is known about the rows before the files are.
          empty={
            path === undefined && !files.isSuccess ? null : <NoRows searched={isFiltered ? found.total : undefined} />
          }
        />
        {chosen === undefined ? null : <RowDetail row={chosen} onClose={() => update({ at: undefined })} />}
      </div>
    </>
  )
}

/** `searched` is the number of rows that were searched with filters. */
function NoRows({ searched }: { readonly searched: number | undefined }): ReactElement {
  const { workspace = "", name = "" } = useParams({ strict: false })
  return searched === undefined ? (
    <EmptyState title="No rows" command={`assay push ./rows.csv ${workspace}/${name}`}>
      <p>Files with rows are JSON lines, JSON, CSV and Parquet.</p>
    </EmptyState>
  ) : (
    <EmptyState title="No row matches">
      <p>All {formatInteger(searched)} rows were searched.</p>
    </EmptyState>
  )
}

function SearchProgress({ rows, searched, total, isSearching }: FoundRows): ReactElement {
  const more = isSearching ? " …" : ""
  return (
    <span className="soft search-progress" role="status">
      {formatCount(rows.total, "row")} found in {formatInteger(searched)} of {formatInteger(total)}
      {more}
    </span>
  )
}

import { formatCount, formatInteger } from "@assay/reports"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { EvaluateLink } from "../../../components/evaluate-link.tsx"
import { EvaluateRows } from "../../../components/evaluate-rows.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { CheckField } from "../../../components/fields/check-field.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { ChoiceFilter, namedChoices } from "../../../table/choice-filter.tsx"
import { DataTable } from "../../../table/data-table.tsx"
import { useTableSearch } from "../../../table/table-search.ts"
import { JumpBox } from "./jump-box.tsx"
import { rowColumns } from "./row-columns.tsx"
import { RowDetail } from "./row-detail.tsx"
import { RowFilterField } from "./row-filters.tsx"
import { useRowFiles } from "./use-row-files.ts"
import type { FoundRows } from "./use-found-rows.ts"
import { useRowFilters, type RowFilterState } from "./use-row-filters.ts"
import { useRowsOfFile } from "./use-rows-of-file.ts"
import "./rows.css"

/** Shows the rows of one file as a table, with the issues of its schema on the cells. */
export function RowsPage(): ReactElement {
  const { workspace = "", name = "" } = useParams({ strict: false })
  const [search, update] = useTableSearch()
  const [given] = useSearchValue("path")
  const [wrap] = useSearchValue("wrap")
  const [view] = useSearchValue("view")
  const files = useRowFiles(workspace, name, given)
  const paths = files.data ?? []
  const path = given ?? paths[0]
  const filters = useRowFilters()
  const { rows, found, profile } = useRowsOfFile({ workspace, name, path }, filters.filter)
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
        above={<FilesetLink workspace={workspace} name={name} />}
        actions={
          found === undefined ? (
            <EvaluateLink workspace={workspace} fileset={name} path={path} />
          ) : (
            <EvaluateRows
              count={rows.total}
              read={async (max) => (await rows.read(0, Math.min(rows.total, max))).map(({ row }) => row)}
            />
          )
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
          isGrowing={found !== undefined && found.searched < found.total}
          search={search}
          onSearch={update}
          onOpen={(_row, index) => update({ at: index })}
          keys={{ Escape: () => update({ at: undefined }) }}
          rowHeight={wrap === "on" ? 84 : 36}
          belowHeight={view === "json" || profile.data === undefined ? 0 : 40}
          rowClass={({ issues }) => (issues.length > 0 ? "faulty" : undefined)}
          filter={<RowTools paths={paths} path={path} total={rows.total} found={found} filters={filters} />}
          // Nothing is known about the rows before the files are.
          empty={path === undefined && !files.isSuccess ? null : <NoRows searched={found?.total} />}
        />
        {chosen === undefined ? null : <RowDetail row={chosen} onClose={() => update({ at: undefined })} />}
      </div>
    </>
  )
}

function FilesetLink({ workspace, name }: { readonly workspace: string; readonly name: string }): ReactElement {
  return (
    <>
      <Link to="/filesets">Filesets</Link> /{" "}
      <Link to="/filesets/$workspace/$name" params={{ workspace, name }}>
        {workspace}/{name}
      </Link>
    </>
  )
}

interface RowToolsProps {
  readonly paths: readonly string[]
  readonly path: string | undefined
  readonly total: number
  /** Undefined without filters. */
  readonly found: FoundRows | undefined
  readonly filters: RowFilterState
}

/** Renders what chooses the rows and how they are shown: the file, a position, filters, wrapped cells, JSON. */
function RowTools({ paths, path, total, found, filters }: RowToolsProps): ReactElement {
  const [, update] = useTableSearch()
  const [wrap, setWrap] = useSearchValue("wrap")
  const [view, setView] = useSearchValue("view")
  return (
    <>
      {paths.length > 1 ? <FileChoice paths={paths} path={path} /> : null}
      {found === undefined ? <JumpBox total={total} onJump={(at) => update({ at })} /> : null}
      <RowFilterField {...filters} />
      {found === undefined ? null : <SearchProgress {...found} />}
      <CheckField isChecked={wrap === "on"} onChange={(isOn) => setWrap(isOn ? "on" : undefined)}>
        Wrap
      </CheckField>
      <CheckField isChecked={view === "json"} onChange={(isOn) => setView(isOn ? "json" : undefined)}>
        JSON
      </CheckField>
    </>
  )
}

/** Renders the choice of the file whose rows are shown. */
function FileChoice({ paths, path }: Pick<RowToolsProps, "paths" | "path">): ReactElement {
  const navigate = useNavigate()
  // A row of another file means nothing here.
  const choose = (chosen: string | undefined) =>
    navigate({ to: ".", search: (before: object) => ({ ...before, path: chosen, at: undefined }) })
  return (
    <ChoiceFilter label="File" choices={namedChoices(paths)} value={path} onChoose={(chosen) => void choose(chosen)} />
  )
}

/** Shows that there are no rows, or that no row of the `searched` ones matches the filters. */
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

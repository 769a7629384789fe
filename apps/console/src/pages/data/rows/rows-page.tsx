import { formatCount } from "@assay/reports"
import type { RowProfile, RowWithIssues } from "@assay/schemas"
import type { UseQueryResult } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { Beside } from "../../../components/beside.tsx"
import { EvaluateLink } from "../../../components/evaluate-link.tsx"
import { EvaluateRows } from "../../../components/evaluate-rows.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { usePageKeys } from "../../../components/use-page-keys.ts"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { hiddenColumns, type Column } from "../../../table/column.ts"
import { DataTable } from "../../../table/data-table.tsx"
import type { RowSource } from "../../../table/row-source.ts"
import { useTableSearch } from "../../../table/table-search.ts"
import { ColumnPanel } from "./column-panel.tsx"
import { nameOf, rowColumns, rowsOf } from "./row-columns.tsx"
import { RowDetail } from "./row-detail.tsx"
import { RowTools } from "./row-tools.tsx"
import { useRowFiles } from "./use-row-files.ts"
import { useRowFilters, type RowFilterState } from "./use-row-filters.ts"
import { useRowsOfFile } from "./use-rows-of-file.ts"
import type { FileOfRows, RowQuestion } from "./use-searched-rows.ts"
import "./rows.css"

/** A row of a file has fewer parts than one of a job. */
const PANEL_WIDTH = { share: 36, of: "rows" }

/** Shows the rows of one file as a table, with the issues of its schema on the cells. */
export function RowsPage(): ReactElement {
  const { workspace = "", name = "" } = useParams({ strict: false })
  const [search, update] = useTableSearch()
  const [given] = useSearchValue("path")
  const [wrap] = useSearchValue("wrap")
  const [view] = useSearchValue("view")
  const [column, showColumn] = useSearchValue("column")
  const files = useRowFiles(workspace, name, given)
  const paths = files.data ?? []
  const path = given ?? paths[0]
  const filters = useRowFilters()
  const question = useQuestion(filters.filter)
  const file = { workspace, name, path }
  const { rows, search: searched, profile } = useRowsOfFile(file, question)
  const columns = rowColumns({
    profile: profile.data,
    first: rows.get(0)?.row,
    isJson: view === "json",
    onFilter: filters.add,
    onColumn: (chosen) => showColumn(chosen === column ? undefined : chosen),
  })
  const chosen = search.at === undefined ? undefined : rows.get(search.at)
  const shown = view === "json" ? undefined : shownFields(columns, search.hide)
  const panel = usePanel(profile.data, chosen, filters.add)
  return (
    <>
      <RowsHeader file={file} rows={rows} isSearched={question !== undefined} isProfiled={!profile.isFetching} />
      <ReadingErrors readings={[files, profile]} />
      <Beside panel={panel} width={PANEL_WIDTH}>
        <DataTable
          label="Rows"
          columns={columns}
          rows={rows}
          isGrowing={searched?.is_complete === false}
          search={search}
          onSearch={update}
          onOpen={(_row, index) => update({ at: index })}
          rowHeight={wrap === "on" ? 84 : 36}
          belowHeight={view === "json" || profile.data === undefined ? 0 : 40}
          rowClass={classOfRow}
          filter={
            <RowTools
              file={file}
              paths={paths}
              total={rows.total}
              question={question}
              searched={searched}
              filters={filters}
              columns={shown}
            />
          }
          // Nothing is known about the rows before the files are.
          empty={path === undefined && !files.isSuccess ? null : <NoRows searched={searched?.searched} />}
        />
      </Beside>
    </>
  )
}

/** Returns the panel beside the rows: the column that the address names, or the chosen row. Null: there is none. */
function usePanel(
  profile: RowProfile | undefined,
  chosen: RowWithIssues | undefined,
  onFilter: RowFilterState["add"],
): ReactElement | null {
  const [column, showColumn] = useSearchValue("column")
  const [, update] = useTableSearch()
  const described = profile?.columns.find(({ pointer }) => nameOf(pointer) === column)
  const isColumn = column !== undefined && described !== undefined
  const close = () => (isColumn ? showColumn(undefined) : update({ at: undefined }))
  usePageKeys({ Escape: () => (isColumn || chosen !== undefined ? close() : false) })
  if (isColumn)
    return <ColumnPanel name={column} column={described} rows={rowsOf(profile)} onFilter={onFilter} onClose={close} />
  return chosen === undefined ? null : <RowDetail row={chosen} onClose={close} />
}

interface EvaluateActionProps {
  readonly file: FileOfRows
  readonly rows: RowSource<RowWithIssues>
  /** Whether the rows are those that were found. */
  readonly isSearched: boolean
}

function RowsHeader({ isProfiled, ...shown }: EvaluateActionProps & { readonly isProfiled: boolean }): ReactElement {
  const { workspace, name, path } = shown.file
  return (
    <PageHeader
      help="guides/datasets"
      title={path ?? "Rows"}
      above={<FilesetLink workspace={workspace} name={name} />}
      actions={<EvaluateAction {...shown} />}
    >
      {isProfiled ? null : "Reading all rows for the columns …"}
    </PageHeader>
  )
}

/** Renders what launches an evaluation of the file, or of the rows that were found. */
function EvaluateAction({ file: { workspace, name, path }, rows, isSearched }: EvaluateActionProps): ReactElement {
  if (!isSearched) return <EvaluateLink workspace={workspace} fileset={name} path={path} />
  const read = async (max: number) => (await rows.read(0, Math.min(rows.total, max))).map(({ row }) => row)
  return <EvaluateRows count={rows.total} read={read} />
}

interface ReadingErrorsProps {
  readonly readings: readonly Pick<UseQueryResult, "error" | "refetch">[]
}

function ReadingErrors({ readings }: ReadingErrorsProps): ReactElement {
  const failed = readings.filter(({ error }) => error !== null)
  return (
    <>
      {failed.map(({ error, refetch }) => (
        <ErrorCard key={error?.message} error={error} again={() => void refetch()} />
      ))}
    </>
  )
}

function classOfRow({ issues }: RowWithIssues): string | undefined {
  return issues.length > 0 ? "faulty" : undefined
}

/** Returns the fields of rows that are shown. Undefined: all. */
function shownFields(columns: readonly Column<RowWithIssues>[], hide: string | undefined) {
  const hidden = hiddenColumns(columns, hide)
  const fields = columns.map(({ id }) => id).filter((id) => id !== "#")
  return hidden.size === 0 ? undefined : fields.filter((id) => !hidden.has(id))
}

/** Returns what the address searches for. Undefined: nothing, so that all rows are shown. */
function useQuestion(filter: RowQuestion["filter"]): RowQuestion | undefined {
  const [invalid] = useSearchValue("invalid")
  const [issue] = useSearchValue("issue")
  if (filter === undefined && invalid === undefined && issue === undefined) return undefined
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(invalid === undefined && issue === undefined ? {} : { invalid: true }),
    ...(issue === undefined ? {} : { issue }),
  }
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

/** Shows that there are no rows, or that no row of the `searched` ones matches. */
function NoRows({ searched }: { readonly searched: number | undefined }): ReactElement {
  const { workspace = "", name = "" } = useParams({ strict: false })
  return searched === undefined ? (
    <EmptyState title="No rows" command={`assay push ./rows.csv ${workspace}/${name}`}>
      <p>Files with rows are JSON lines, JSON, CSV and Parquet.</p>
    </EmptyState>
  ) : (
    <EmptyState title="No row matches">
      <p>All {formatCount(searched, "row")} were searched.</p>
    </EmptyState>
  )
}
